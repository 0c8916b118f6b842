/** The page's look: light and dark by the reader's own setting, one column that fits a phone, no fonts or pictures from elsewhere. */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #ffffff; --ink: #23262b; --quiet: #6b7078; --line: #e3e0d8; --code: #f3f1eb;
  --reads: #c3cfdd; --changes: #5b7a9d; --unknown: #93a7bd; --waits: #e0e5ea; --right: #2f8f5b; --wrong: #cf3f3a; --undecided: #d9982b; --person: #23262b; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171a; --card: #1d2024; --ink: #e6e4df; --quiet: #969ba3; --line: #30343a; --code: #14161a;
  --reads: #3d4b5c; --changes: #7fa3cb; --unknown: #5a708a; --waits: #2a3038; --right: #4cb87e; --wrong: #f0706a; --undecided: #e6b04f; --person: #e6e4df; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.2rem 1.1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .8rem; }
p { margin: .4rem 0; } .quiet { color: var(--quiet); } .small { font-size: .86rem; }
.gates { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(17.5rem, 1fr)); margin-top: 1.4rem; }
.gate, .session { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; }
.gate b { font-weight: 600; overflow-wrap: anywhere; } .gate .count { font-size: 1.6rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.bar { display: flex; height: .5rem; border-radius: .25rem; overflow: hidden; background: var(--line); margin: .45rem 0 .4rem; }
.bar i { display: block; min-width: 3px; } .bg-right { background: var(--right); } .bg-wrong { background: var(--wrong); } .bg-undecided { background: var(--undecided); }
.in-right { color: var(--right); } .in-wrong { color: var(--wrong); } .in-undecided { color: var(--undecided); }
.session { margin: 0 0 1rem; } .session header { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: baseline; }
.session h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; } .path { overflow-wrap: anywhere; }
svg.strip { display: block; width: 100%; height: auto; margin: .7rem 0 .5rem; }
.strip .r { stroke: var(--reads); } .strip .c { stroke: var(--changes); } .strip .u { stroke: var(--unknown); } .strip .w { stroke: var(--waits); }
.strip .p { stroke: var(--person); } .strip path { stroke-width: .72; fill: none; } .strip path.p { stroke-width: .3; }
.strip .right { fill: var(--right); } .strip .wrong { fill: var(--wrong); } .strip .undecided { fill: var(--undecided); }
details { border-top: 1px solid var(--line); } details:target { background: color-mix(in srgb, var(--undecided) 12%, transparent); }
summary { cursor: pointer; padding: .45rem 0; display: flex; flex-wrap: wrap; gap: .1rem .7rem; align-items: baseline; list-style: none; }
summary::-webkit-details-marker { display: none; } summary::before { content: "›"; color: var(--quiet); } details[open] > summary::before { content: "⌄"; }
summary code { flex: 1 1 14rem; min-width: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
code, pre { font: .84rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { background: var(--code); border-radius: .4rem; padding: .6rem .7rem; margin: .2rem 0 .7rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem; overflow: auto; }
.chip { font-size: .78rem; font-weight: 600; white-space: nowrap; } .chip::before { content: "●"; margin-right: .3em; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; } .legend span::before { content: ""; display: inline-block; width: .35rem; height: .8rem; margin-right: .4rem; vertical-align: -.1rem; background: var(--of); }
.plain { columns: 18rem; padding: 0; list-style: none; } .plain li { break-inside: avoid; overflow-wrap: anywhere; }
.inner { padding-left: 1rem; } .scroll { overflow-x: auto; } a { color: inherit; }
@media (max-width: 34rem) { main { padding: 1.2rem .7rem 3rem; } summary code { flex-basis: 100%; } .gates { grid-template-columns: 1fr 1fr; } .gate { padding: .7rem; } .gate b { font-size: .86rem; } svg.strip { min-width: 34rem; } .inner { padding-left: .4rem; } }
`;
