/**
 * The table of programs: what each is known to do. program-rule.ts says how it is read.
 * Long because: it is data, and an effect is looked up and argued about in one place.
 * A program that is not here, or a subcommand that is not, is `unknown`. `reads` is given only to what is known to leave
 * alone whatever a later call can be answered from; caches and access times do not count as such. Building and testing
 * are `unknown`: they write, yet a failing build must not release another failing build (design: gates, the repeat rule).
 */
import type { ProgramRule, Rule } from "./program-rule.ts";

/** Programs that only look, whatever their words. `sleep`, `echo` and their like change nothing either. */
const READS = `
  ls dir vdir pwd cat bat batcat head tail tac nl wc cut paste tr rev fold fmt pr expand unexpand column comm join diff
  diff3 cmp  delta  tsort strings od hexdump hd hexyl  file stat du df readlink realpath basename
  dirname md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum b3sum cksum sum base32 basenc
  grep egrep fgrep zgrep bzgrep xzgrep rg ripgrep ag ack ugrep pcregrep locate mdfind mdls which whereis type 
  whoami id groups users who w last lastlog logname uname arch nproc lscpu lsblk lsusb lspci lsmod lsof lsns findmnt
  free uptime vmstat iostat mpstat pidstat top htop btop ps pgrep pidof pstree pmap jps jstack jstat printenv cal ncal seq
  yes true false : echo printf test [ [[ (( expr bc dc factor numfmt sleep usleep tty tput clear getconf getent ulimit
  umask times jobs wait history  read mapfile readarray let local declare typeset readonly unset export shift getopts
  return exit break continue alias cd pushd popd dirs set shopt setopt unsetopt hash disown fg help man tldr info apropos whatis
  locale ldd nm objdump readelf size addr2line c++filt otool dwarfdump zcat bzcat xzcat zstdcat zless zmore less more
  zipinfo netstat ss dig host nslookup drill ping ping6 traceroute tracepath mtr whois pg_isready ncdu cloc tokei scc exa
  eza lsd dust duf procs jc jo dasel gron htmlq  hadolint shellcheck yamllint actionlint flake8 pylint pyright
  basedpyright vulture bandit  vale sw_vers system_profiler lsb_release hostid  rocm-smi sensors
  apt-cache dpkg-query repoquery systemd-analyze systemd-cgls systemd-cgtop atq bjobs squeue sinfo qstat
  pbpaste wl-paste say notify-send stern kail tailspin lnav inotifywait fswatch sync getfacl
  getfattr lsattr namei ssh-keyscan zdump  pdfinfo  ffprobe mediainfo identify soxi
  vm_stat crc32 nmap pipdeptree datamash csvcut csvgrep csvstat csvlook csvsort csvjson
  compgen caller  uuidgen mcookie figlet cowsay toilet banner gdate
  Get-Content Get-ChildItem Get-Item Get-ItemProperty Get-Location Get-Process Get-Command Get-Date Get-FileHash Get-Help
  Select-String Select-Object Where-Object Sort-Object Measure-Object Format-Table Format-List Test-Path Resolve-Path
  Write-Output Write-Host ConvertFrom-Json ConvertTo-Json
`;

/** Programs that are there to change something. Clipboards count: the person's state is no longer what it was. */
const CHANGES = `
  apply_patch applypatch cp mv rm rmdir mkdir touch ln link unlink install truncate split csplit shred chmod chown chgrp chattr setfacl setfattr
  chcon restorecon mkfifo mknod mkfs mkswap fallocate reboot shutdown halt poweroff useradd
  usermod userdel groupadd groupmod groupdel adduser deluser addgroup passwd chpasswd chsh visudo umount
  pbcopy wl-copy clip clip.exe scp rcp aria2c createdb dropdb createuser dropuser pg_restore initdb at batch
  update-alternatives depmod modprobe insmod rmmod trash trash-put rename prename 
  patchelf strip install_name_tool ssh-copy-id dos2unix unix2dos sponge sudoedit convert mogrify ffmpeg
  addgroup createrepo
  Remove-Item Set-Content Add-Content Clear-Content New-Item Rename-Item Move-Item Copy-Item Out-File Start-Process Stop-Process
  Set-ItemProperty Expand-Archive Compress-Archive
`;

/** Where a rule names a command of its own behind it (`npx eslint .`): it is judged by that command. */
const RUNNER: ProgramRule = {
  otherwise: "unknown",
  unknown: "-c --call",
  valued: "-p --package --python --with --project --directory",
  runs: 0,
};
const IN_CONTAINER: ProgramRule = {
  otherwise: "unknown",
  unknown: "-d --detach",
  valued: "-e --env --env-file -u --user -w --workdir -c --container -n --namespace --context --index --detach-keys",
  runs: 1,
};

/** A compressor: with no file it is a filter, with `-c` it prints, else it replaces the file. */
const COMPRESSOR: ProgramRule = {
  otherwise: "changes",
  reads: "-c --stdout --to-stdout -l --list -t --test",
  operands: ["reads", "changes"],
};
const PRINTS_UNLESS_OUTPUT: ProgramRule = {
  otherwise: "reads",
  values: { "-o --output": { "-": "reads", "/dev/null": "reads", "*": "changes" } },
};
const IN_PLACE: ProgramRule = { otherwise: "reads", changes: "-i --in-place --inplace" };
const FIXER: ProgramRule = {
  otherwise: "reads",
  changes: "--fix --fix-only --unsafe-fixes --write --apply --apply-unsafe -w",
  unknown: "--watch",
};
const HASH_OR_SHOW: ProgramRule = { otherwise: "changes", operands: ["reads", "changes"] };

const SEARCH: Readonly<Record<string, Rule>> = {
  "find gfind": {
    otherwise: "reads",
    wholeOptions: true,
    changes: "-delete -fprint -fprint0 -fprintf -fls",
  },
  "fd fdfind": "reads",
  sort: {
    otherwise: "reads",
    values: { "-o --output": { "/dev/null": "reads", "*": "changes" } },
    valued: "-k -t -S -T",
  },
  shuf: PRINTS_UNLESS_OUTPUT,
  tree: { otherwise: "reads", values: { "-o": { "*": "changes" } } },
  uniq: { otherwise: "reads", operands: ["reads", "reads", "changes"], valued: "-f -s -w" },
  "sed gsed": { ...IN_PLACE, unknown: "-f --file", valued: "-e --expression -l", script: "sed" },
  "awk gawk mawk nawk": {
    otherwise: "reads",
    changes: "-i",
    unknown: "-f --file -E -e",
    valued: "-v -F",
    script: "awk",
  },
  "jq jaq gojq": IN_PLACE,
  "yq tomlq xq": { ...IN_PLACE, changes: "-i --inplace --in-place -s --split-exp" },
  "base64 b64": { otherwise: "reads", changes: "-o" },
  tee: { otherwise: "changes", operands: ["reads", "changes"], script: "devices" },
  xxd: { otherwise: "reads", operands: ["reads", "reads", "changes"], valued: "-c -g -l -o -s -n" },
  xmllint: { ...PRINTS_UNLESS_OUTPUT, wholeOptions: true },
  "nvidia-smi": { otherwise: "reads", wholeOptions: true, changes: "-r --gpu-reset -pm -pl -e -c -mig -ac" },
  ldconfig: { otherwise: "changes", reads: "-p --print-cache" },
  losetup: { otherwise: "changes", operands: ["reads", "changes"], reads: "-a -l --list" },
  sudo: { otherwise: "unknown", reads: "-l --list -v --validate -k -K -V", changes: "-e --edit" },
  dd: { otherwise: "reads", script: "dd" },
  date: { otherwise: "reads", changes: "-s --set", attached: "-I", valued: "-d --date -r -f" },
  mktemp: { otherwise: "changes", reads: "-u --dry-run" },
  "source .": { otherwise: "unknown", script: "source" },
  command: "reads",
  env: "reads",
  "builtin exec": "reads",
  "timeout gtimeout nice nohup time stdbuf": "reads",
  xargs: "reads",
  at: { otherwise: "changes", reads: "-l -c" },
  trap: { otherwise: "unknown", reads: "-p -l" },
  fuser: { otherwise: "reads", changes: "-k --kill" },
  // What they run stands in the line's list beside them.
  "strace ltrace": { otherwise: "reads", changes: "-o --output", optionsFirst: true },
  stty: { otherwise: "changes", operands: ["reads", "changes"], reads: "-a -g", sub: { "size speed": "reads" } },
  "hostname domainname": { otherwise: "changes", operands: ["reads", "changes"] },
  fzf: "unknown",
  logger: "changes",
  patch: { otherwise: "changes", reads: "--dry-run" },
  "busctl dbus-send gdbus osascript open xdg-open start": "unknown",
  xclip: { otherwise: "changes", wholeOptions: true, reads: "-o -out" },
  xsel: { otherwise: "changes", reads: "-o --output" },
};

const PROCESSES: Readonly<Record<string, Rule>> = {
  "kill pkill": {
    otherwise: "changes",
    wholeOptions: true,
    reads: "-0 -l -L --list",
    values: { "-s --signal": { "0": "reads", "*": "changes" } },
  },
  killall: { otherwise: "changes", wholeOptions: true, reads: "-0 -l --list" },
  systemctl: {
    otherwise: "changes",
    operands: ["reads", "changes"],
    valued: "-H --host -M --machine -t --type -n --lines -o --output -p --property --state",
    sub: {
      "status show cat help list-* is-* get-default show-environment": "reads",
      edit: "unknown",
    },
  },
  service: {
    otherwise: "changes",
    reads: "--status-all",
    sub: { "*": { otherwise: "changes", sub: { status: "reads" } } },
  },
  launchctl: { otherwise: "changes", sub: { "list print print-* blame version help getenv": "reads" } },
  "rc-service rc-update": {
    otherwise: "changes",
    sub: { "show status": "reads", "*": { otherwise: "changes", sub: { status: "reads" } } },
  },
  journalctl: {
    otherwise: "reads",
    changes: "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --relinquish-var",
  },
  dmesg: { otherwise: "reads", changes: "-c -C --clear --read-clear -n -D -E" },
  "loginctl machinectl": {
    otherwise: "changes",
    operands: ["reads"],
    sub: { "list* show* user-status session-status seat-status status": "reads" },
  },
  "timedatectl hostnamectl localectl": {
    otherwise: "changes",
    operands: ["reads"],
    sub: { "status show* list-*": "reads", "*": "changes" },
  },
  "networkctl resolvectl": {
    otherwise: "unknown",
    operands: ["reads"],
    sub: { "list status query statistics lldp": "reads" },
  },
  coredumpctl: { otherwise: "unknown", operands: ["reads"], sub: { "list info": "reads" } },
  crontab: { otherwise: "changes", reads: "-l" },
  "supervisorctl pm2 forever": {
    otherwise: "changes",
    sub: { "status ls list l show describe info logs monit jlist prettylist avail tail version": "reads" },
  },
  tmux: {
    otherwise: "changes",
    valued: "-L -S -f",
    sub: {
      "ls lsw lsp list-* capture-pane capturep display-message display has-session has show-* show info": "reads",
      "wait-for wait": "reads",
      "attach attach-session": "unknown",
    },
  },
  screen: { otherwise: "unknown", wholeOptions: true, reads: "-ls -list" },
  mount: { otherwise: "changes", operands: ["reads", "changes"], reads: "-l" },
  sysctl: { otherwise: "reads", changes: "-w --write -p --load --system", script: "sysctl" },
  "fdisk parted sfdisk": { otherwise: "unknown", reads: "-l --list -d --dump" },
  "blkid swapon": { otherwise: "unknown", operands: ["reads", "unknown"], reads: "-s --show --summary" },
  ip: {
    otherwise: "unknown",
    operands: ["reads"],
    sub: {
      "a ad add* address r ro route l li link n neigh neighbor ru rule m maddr tunnel netns": {
        otherwise: "changes",
        operands: ["reads", "changes"],
        sub: { "s sh show l ls lst list g get": "reads" },
      },
    },
  },
  ifconfig: { otherwise: "changes", operands: ["reads", "reads", "changes"], reads: "-a" },
  route: { otherwise: "changes", operands: ["reads", "changes"] },
  arp: { otherwise: "reads", changes: "-d -s" },
  "iptables ip6tables": { otherwise: "changes", reads: "-L --list -S --list-rules -C" },
  nft: { otherwise: "changes", sub: { list: "reads" } },
  ufw: { otherwise: "changes", sub: { "status version show": "reads" } },
  nc: { otherwise: "unknown", reads: "-z" },
  "ncat netcat": { otherwise: "unknown", reads: "-z" },
  defaults: { otherwise: "changes", sub: { "read read-type domains find help": "reads" } },
  plutil: { otherwise: "changes", wholeOptions: true, reads: "-p -lint -type" },
  "xcode-select pmset scutil": {
    otherwise: "unknown",
    wholeOptions: true,
    reads: "-p --print-path -g --get --dns --proxy --version",
  },
};

/** git: one row a subcommand; what only looks in one form and changes in another is told apart by its words. */
const GIT: ProgramRule = {
  otherwise: "unknown",
  operands: ["reads"],
  valued: "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source",
  sub: {
    "status ls-files ls-tree ls-remote rev-parse rev-list describe shortlog cat-file for-each-ref name-rev merge-base show-ref":
      "reads",
    "show-branch whatchanged range-diff diff-tree diff-index diff-files check-ignore check-attr check-mailmap count-objects":
      "reads",
    "verify-commit verify-tag verify-pack var version help cherry blame annotate check-ref-format get-tar-commit-id":
      "reads",
    "merge-tree fsck stripspace patch-id": "reads",
    "log diff show": { otherwise: "reads", values: { "--output": { "*": "changes" } } },
    grep: { otherwise: "reads", unknown: "-O --open-files-in-pager" },
    "fetch commit": { otherwise: "changes", reads: "--dry-run" },
    "push add rm clean mv prune": { otherwise: "changes", reads: "--dry-run -n" },
    "pull merge rebase checkout switch restore reset revert cherry-pick am clone init gc repack pack-refs maintenance":
      "changes",
    "update-index update-ref read-tree write-tree commit-tree mktree mktag checkout-index filter-branch filter-repo replace":
      "changes",
    "sparse-checkout prune-packed fast-import unpack-objects index-pack pack-objects subtree": "changes",
    branch: {
      otherwise: "changes",
      operands: ["reads", "changes"],
      changes:
        "-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream --edit-description",
      reads: "-l --list -a --all -r --remotes --show-current --contains --no-contains --merged --no-merged --points-at",
      valued: "--format --sort --color",
    },
    tag: {
      otherwise: "changes",
      operands: ["reads", "changes"],
      changes: "-d --delete -a --annotate -s --sign -f --force -m -F",
      reads: "-l --list -n -v --verify --contains --no-contains --merged --no-merged --points-at",
      valued: "--format --sort",
    },
    remote: { otherwise: "changes", operands: ["reads"], sub: { "show get-url": "reads", "*": "changes" } },
    stash: { otherwise: "changes", sub: { "list show": "reads", create: "unknown" } },
    worktree: { otherwise: "changes", sub: { list: "reads" } },
    submodule: {
      otherwise: "changes",
      operands: ["reads"],
      sub: { "status summary": "reads", foreach: "unknown", "*": "changes" },
    },
    notes: { otherwise: "changes", operands: ["reads"], sub: { "list show get-ref": "reads", "*": "changes" } },
    bisect: { otherwise: "changes", sub: { "log view visualize": "reads", run: "unknown" } },
    rerere: { otherwise: "changes", sub: { "status diff remaining": "reads" } },
    reflog: { otherwise: "reads", sub: { "expire delete": "changes" } },
    "symbolic-ref": { otherwise: "changes", operands: ["reads", "reads", "changes"], changes: "-d --delete" },
    config: {
      otherwise: "changes",
      operands: ["reads", "reads", "changes"],
      reads: "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list",
      changes: "--unset --unset-all --add --replace-all --remove-section --rename-section -e --edit",
      valued: "-f --file --blob --type --default",
      sub: { "list get": "reads", "set unset rename-section remove-section edit": "changes" },
    },
    "hash-object": { otherwise: "reads", changes: "-w" },
    archive: PRINTS_UNLESS_OUTPUT,
    "format-patch": { otherwise: "changes", reads: "--stdout" },
    bundle: { otherwise: "changes", sub: { "verify list-heads": "reads" } },
    apply: { otherwise: "changes", reads: "--check --stat --numstat --summary" },
    lfs: {
      otherwise: "changes",
      operands: ["reads"],
      sub: { "ls-files status env logs version locks": "reads", "*": "changes" },
    },
    "interpret-trailers": { otherwise: "reads", changes: "--in-place" },
    "credential send-email instaweb gui citool mergetool difftool": "unknown",
  },
};

const OTHER_REVISIONS: Readonly<Record<string, Rule>> = {
  svn: {
    otherwise: "unknown",
    sub: {
      "status st stat info log diff di cat ls list blame annotate propget proplist help": "reads",
      "add checkout co commit ci update up delete rm mkdir revert merge move mv copy cp switch resolve cleanup propset lock":
        "changes",
    },
  },
  hg: {
    otherwise: "unknown",
    valued: "-R --repository --cwd",
    sub: {
      "status st log diff id identify summary sum branches tags heads parents cat annotate blame root paths manifest help":
        "reads",
      "add addremove commit ci update up pull push clone init merge revert rebase strip graft shelve unshelve rm mv":
        "changes",
    },
  },
  jj: {
    otherwise: "changes",
    operands: ["reads"],
    valued: "-R --repository --at-op",
    sub: {
      "log st status diff show root help version evolog interdiff": "reads",
      "op operation config bookmark file": { otherwise: "changes", sub: { "log list show get path": "reads" } },
    },
  },
};

const NETWORK: Readonly<Record<string, Rule>> = {
  curl: {
    otherwise: "reads",
    changes:
      "-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string -T --upload-file -O --remote-name --remote-name-all -J --remote-header-name -Q --quote",
    unknown: "-K --config",
    values: {
      "-X --request": { GET: "reads", HEAD: "reads", OPTIONS: "reads", "*": "changes" },
      "-o --output": {
        "-": "reads",
        "/dev/null": "reads",
        "/dev/stdout": "reads",
        "/dev/stderr": "reads",
        "*": "changes",
      },
      "-D --dump-header": {
        "-": "reads",
        "/dev/null": "reads",
        "/dev/stdout": "reads",
        "/dev/stderr": "reads",
        "*": "changes",
      },
      "-c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc": {
        "-": "reads",
        "/dev/null": "reads",
        "*": "changes",
      },
    },
    valued:
      "-H --header -u --user -A --user-agent -b --cookie -e --referer -m --max-time --connect-timeout --retry --retry-delay -w --write-out -x --proxy --resolve --cacert --cert --key -E -r --range -C --url --interface -U -y -Y -z -t --unix-socket",
    cancels: ["-G --get", "-d --data --data-raw --data-binary --data-ascii --data-urlencode"],
  },
  wget: {
    otherwise: "changes",
    reads: "--spider",
    changes: "--post-data --post-file --body-data --body-file",
    values: {
      "-O --output-document": { "-": "reads", "/dev/null": "reads", "/dev/stdout": "reads", "*": "changes" },
      "--method": { GET: "reads", HEAD: "reads", "*": "changes" },
    },
    valued: "-T --timeout -t --tries --header -U --user-agent -o -a -P",
  },
  "http https xh xhs httpie": {
    otherwise: "reads",
    changes: "-f --form -d --download -o --output --raw",
    valued: "-a --auth -s --style -p --print --timeout",
    script: "http",
  },
  grpcurl: {
    otherwise: "unknown",
    wholeOptions: true,
    valued: "-d -H -proto -import-path",
    sub: { "*": { otherwise: "unknown", sub: { "list describe": "reads" } } },
  },
  rsync: { otherwise: "changes", reads: "-n --dry-run --list-only" },
  "ssh mosh sftp telnet socat websocat": { otherwise: "unknown", alone: "-V" },
  "ssh-keygen": { otherwise: "changes", reads: "-l -F -B -y" },
  "ssh-add": { otherwise: "changes", reads: "-l -L" },
  rclone: {
    otherwise: "changes",
    sub: { "ls lsd lsl lsf lsjson size about check version listremotes cat tree": "reads" },
  },
  gpg: {
    otherwise: "unknown",
    reads: "--list-keys --list-secret-keys -k -K --verify --fingerprint --list-packets --list-sigs",
  },
  openssl: {
    otherwise: "unknown",
    sub: {
      "version s_client verify dgst ciphers asn1parse prime speed list": {
        otherwise: "reads",
        wholeOptions: true,
        changes: "-out",
      },
      "x509 crl req pkey rsa ec pkcs12 pkcs7 rand passwd": {
        otherwise: "reads",
        wholeOptions: true,
        changes: "-out -new -keyout",
      },
    },
  },
};

/** A package manager's words: what lists and asks, and what installs. Scripts and tests are unknown by name. */
const NPM_READS =
  "ls list ll la view info show v search outdated root prefix bin whoami ping explain why fund query sbom diff doctor help help-search completion";
const PACKAGES: Readonly<Record<string, Rule>> = {
  "npm cnpm": {
    otherwise: "unknown",
    alone: "-v",
    valued: "--prefix -C -w --workspace --registry --loglevel",
    sub: {
      [NPM_READS]: "reads",
      "install i in ins inst add ci clean-install remove rm uninstall un unlink r update up upgrade link ln publish unpublish deprecate":
        "changes",
      "init create dedupe ddp prune rebuild rb shrinkwrap set login logout adduser star unstar": "changes",
      audit: { otherwise: "reads", sub: { fix: "changes", signatures: "reads" } },
      "version verison": { otherwise: "changes", operands: ["reads", "changes"] },
      pack: { otherwise: "changes", reads: "--dry-run" },
      "config c": { otherwise: "changes", operands: ["reads"], sub: { "get list ls": "reads", "*": "changes" } },
      get: "reads",
      "run run-script": { otherwise: "unknown", operands: ["reads", "unknown"] },
      pkg: { otherwise: "changes", sub: { get: "reads" } },
      cache: { otherwise: "changes", sub: { "ls verify": "reads" } },
      "owner dist-tag dist-tags access token team org profile": {
        otherwise: "changes",
        sub: { "ls list get": "reads" },
      },
      "exec x": RUNNER,
    },
  },
  pnpm: {
    otherwise: "unknown",
    alone: "-v",
    valued: "-C --dir --filter -F",
    sub: {
      "ls list ll la view info show search outdated root bin why licenses help ": "reads",
      "install i add remove rm uninstall un update up upgrade link unlink publish pack prune rebuild dedupe import fetch patch patch-commit init create setup deploy":
        "changes",
      config: { otherwise: "changes", sub: { "get list": "reads" } },
      audit: { otherwise: "reads", changes: "--fix" },
      store: { otherwise: "changes", sub: { "path status": "reads" } },
      env: { otherwise: "changes", sub: { list: "reads" } },
      exec: RUNNER,
      dlx: RUNNER,
    },
  },
  yarn: {
    otherwise: "unknown",
    operands: ["changes"],
    valued: "--cwd",
    sub: {
      "list info why outdated audit licenses versions help bin": "reads",
      "install add remove upgrade up link unlink publish pack init create dedupe import set plugin autoclean":
        "changes",
      config: { otherwise: "changes", operands: ["reads"], sub: { "get list": "reads", "*": "changes" } },
      cache: { otherwise: "changes", sub: { "list dir": "reads" } },
      npm: { otherwise: "changes", sub: { "info whoami audit": "reads" } },
      workspaces: { otherwise: "unknown", sub: { "list info": "reads" } },
      exec: RUNNER,
      dlx: RUNNER,
    },
  },
  bun: {
    otherwise: "unknown",
    alone: "-v --revision",
    sub: {
      "outdated why audit help info": "reads",
      "install i add a remove rm update link unlink publish patch init create c upgrade": "changes",
      pm: {
        otherwise: "unknown",
        sub: {
          "ls list bin hash cache whoami view why": "reads",
          "trust untrusted pack migrate version pkg": "changes",
        },
      },
      x: RUNNER,
    },
  },
  deno: {
    otherwise: "unknown",
    sub: {
      "info doc check types completions": "reads",
      lint: FIXER,
      fmt: { otherwise: "changes", reads: "--check" },
      "add remove install uninstall upgrade cache publish init": "changes",
    },
  },
  "npx bunx pnpx uvx ": RUNNER,
  cargo: {
    otherwise: "unknown",
    reads: "--list -V --version",
    valued: "--color --config -Z -C",
    sub: {
      "tree metadata search info locate-project pkgid read-manifest verify-project version help audit outdated":
        "reads",
      "install uninstall add remove rm update new init clean fix publish yank owner login logout vendor generate-lockfile fetch package":
        "changes",
      fmt: { otherwise: "changes", reads: "--check", script: "rustfmt" },
      clippy: { otherwise: "unknown", changes: "--fix" },
    },
  },
  rustfmt: { otherwise: "changes", reads: "--check", operands: ["reads", "changes"] },
  rustup: {
    otherwise: "changes",
    sub: {
      "show which check doc help": "reads",
      "toolchain target component override": { otherwise: "changes", sub: { list: "reads" } },
      run: "unknown",
    },
  },
  go: {
    otherwise: "unknown",
    wholeOptions: true,
    sub: {
      "version list doc vet help": "reads",
      env: { otherwise: "reads", wholeOptions: true, changes: "-w -u" },
      mod: { otherwise: "changes", sub: { "graph why verify": "reads" } },
      build: { otherwise: "unknown", wholeOptions: true, values: { "-o": { "/dev/null": "unknown", "*": "changes" } } },
      "install get clean fmt fix work": "changes",
    },
  },
  gofmt: { otherwise: "reads", changes: "-w" },
  "gofumpt goimports": { otherwise: "reads", changes: "-w" },
  "golangci-lint": {
    otherwise: "unknown",
    sub: { "run linters version config help": FIXER, fmt: { otherwise: "changes", reads: "-d --diff" } },
  },
  "pip pip2 pip3": {
    otherwise: "unknown",
    sub: {
      "list show freeze check search index inspect debug help": "reads",
      "install uninstall download wheel": { otherwise: "changes", reads: "--dry-run" },
      config: { otherwise: "changes", sub: { "get list debug": "reads" } },
      cache: { otherwise: "changes", sub: { "list info dir": "reads" } },
    },
  },
  uv: {
    otherwise: "unknown",
    valued: "--directory --project --config-file",
    sub: {
      "tree help": "reads",
      version: { otherwise: "changes", operands: ["reads", "changes"], changes: "--bump" },
      "add remove sync lock venv init publish build export": "changes",
      pip: { otherwise: "changes", sub: { "list show freeze check tree": "reads" } },
      python: { otherwise: "changes", sub: { "list find dir": "reads" } },
      "tool self cache": { otherwise: "changes", sub: { "list dir version": "reads", run: RUNNER } },
      run: RUNNER,
    },
  },
  poetry: {
    otherwise: "unknown",
    sub: {
      "show check about search help list": "reads",
      "add remove install update lock new init publish build self source cache": "changes",
      version: { otherwise: "changes", operands: ["reads", "changes"] },
      env: { otherwise: "changes", sub: { "info list": "reads" } },
      config: { otherwise: "changes", reads: "--list" },
      run: RUNNER,
    },
  },
  "conda mamba micromamba": {
    otherwise: "unknown",
    sub: {
      "list info search": "reads",
      "install create remove uninstall update upgrade clean init": "changes",
      env: { otherwise: "changes", sub: { "list export": "reads" } },
      config: { otherwise: "changes", reads: "--show --show-sources --get" },
    },
  },
  "pipx pdm hatch rye pipenv": {
    otherwise: "unknown",
    sub: {
      "list show info environment graph check": "reads",
      "install uninstall add remove sync lock update upgrade inject reinstall publish build": "changes",
      run: RUNNER,
    },
  },
  gem: {
    otherwise: "changes",
    sub: {
      "list search info environment env which outdated query contents dependency specification help stale": "reads",
      sources: { otherwise: "reads", changes: "-a -r -c -u --add --remove --clear-all --update" },
    },
  },
  "bundle bundler": {
    otherwise: "unknown",
    operands: ["changes"],
    sub: {
      "list show info outdated check platform licenses help": "reads",
      "install update add remove init lock clean cache package binstubs pristine": "changes",
      config: { otherwise: "changes", operands: ["reads"], sub: { "get list": "reads", "*": "changes" } },
      exec: RUNNER,
    },
  },
  composer: {
    otherwise: "unknown",
    sub: {
      "show info search outdated validate diagnose depends why prohibits why-not licenses status check-platform-reqs audit suggests":
        "reads",
      "install update require remove init create-project dump-autoload global": "changes",
    },
  },
  brew: {
    otherwise: "changes",
    reads: "--prefix --cellar --version --caskroom --repository --config --env",
    sub: {
      "list ls info search outdated deps uses leaves config doctor desc cat log options missing help commands": "reads",
      services: { otherwise: "changes", operands: ["reads"], sub: { "list info": "reads", "*": "changes" } },
      "home homepage edit sh ruby": "unknown",
    },
  },
  "apt apt-get aptitude": {
    otherwise: "changes",
    reads: "-s --simulate --dry-run --just-print --no-act",
    valued: "-o -t -c",
    sub: { "list search show policy depends rdepends changelog check showsrc madison": "reads" },
  },
  dpkg: {
    otherwise: "changes",
    reads:
      "-l --list -L --listfiles -S --search -s --status -p --print-avail -I --info -c --contents --get-selections --print-architecture --compare-versions -C --audit -V --verify",
  },
  rpm: { otherwise: "changes", reads: "-q --query -V --verify -K --checksig" },
  "yum dnf microdnf zypper": {
    otherwise: "changes",
    sub: {
      "list info search repolist provides whatprovides check-update history deplist repoquery se if lr lu ls updateinfo":
        "reads",
    },
  },
  apk: { otherwise: "changes", sub: { "list info search version policy dot stats": "reads" } },
  "pacman yay paru": {
    otherwise: "changes",
    reads: "-Q -Qi -Ql -Qq -Qs -Qo -Qe -Qm -Qu -Qk -Ss -Si -Sl -Sg -F -Fl -Fs --query",
  },
  "snap flatpak": {
    otherwise: "changes",
    sub: { "list info find version changes services connections interfaces search remotes history": "reads" },
  },
  nix: {
    otherwise: "unknown",
    sub: {
      "search eval path-info why-depends show-config log doctor": "reads",
      flake: { otherwise: "changes", sub: { "show metadata info": "reads", check: "unknown" } },
      profile: { otherwise: "changes", sub: { "list history": "reads" } },
    },
  },
  "nix-env nix-store": { otherwise: "unknown", reads: "-q --query" },
  "nvm fnm n volta asdf mise rtx rbenv pyenv nodenv goenv tfenv jenv sdk": {
    otherwise: "changes",
    operands: ["reads"],
    sub: {
      "ls list list-all list-remote ls-remote current version versions which where prefix root help info doctor show latest env plugins":
        "reads",
      "exec x run": "unknown",
    },
  },
};

const TOOLS: Readonly<Record<string, Rule>> = {
  tsc: {
    otherwise: "unknown",
    wholeOptions: true,
    reads: "--noEmit --showConfig --listFilesOnly -v --version --help -h",
    unknown: "-w --watch -b --build",
    changes: "--init",
  },
  ruff: {
    ...FIXER,
    changes: "--fix --fix-only --unsafe-fixes --add-noqa",
    sub: {
      format: { otherwise: "changes", reads: "--check --diff" },
      "rule linter config version": "reads",
      clean: "changes",
      server: "unknown",
    },
  },
  codespell: { otherwise: "reads", changes: "-w --write-changes" },
  "eslint oxlint stylelint biome standard xo markdownlint markdownlint-cli2 tslint htmlhint swiftlint ": {
    ...FIXER,
    changes: "--fix --fix-only --unsafe-fixes --write --apply --apply-unsafe -w -o --output-file --init --add-noqa",
    sub: { format: FIXER, "init migrate": "changes", "start daemon lsp-proxy server": "unknown" },
  },
  rubocop: { otherwise: "reads", changes: "-a -A --autocorrect --autocorrect-all --auto-gen-config -x -o" },
  "prettier prettierd": { otherwise: "reads", changes: "-w --write" },
  "black isort autopep8 yapf": {
    otherwise: "changes",
    reads: "--check --diff -c -d --check-only",
    operands: ["reads", "changes"],
  },
  "mypy dmypy": { otherwise: "reads", changes: "--install-types" },
  "clang-format shfmt": { otherwise: "reads", changes: "-i -w --write" },
  stylua: { otherwise: "changes", reads: "--check -c" },
  "clang-tidy cppcheck staticcheck gosec semgrep trivy tflint checkov gitleaks knip depcheck madge ls-lint cspell publint attw":
    FIXER,
  "node nodejs": { otherwise: "unknown", alone: "-v", reads: "-c --check", optionsFirst: true },
  "python pypy": { otherwise: "unknown", alone: "-V -VV", valued: "-m -c -W -X", script: "python" },
  "ruby irb": { otherwise: "unknown", alone: "-v", reads: "-c", optionsFirst: true },
  perl: { otherwise: "unknown", alone: "-v -V", reads: "-c", optionsFirst: true },
  php: { otherwise: "unknown", alone: "-v -m -i", reads: "-l --syntax-check", optionsFirst: true },
  xmlstarlet: { otherwise: "unknown", sub: { "sel val el": "reads" } },
  "lua luajit R Rscript julia ghc ocaml elixir erl scala kotlin swift java javac tsx ts-node": {
    otherwise: "unknown",
    alone: "-v -V -version",
  },
  "bash sh zsh dash ksh ash fish": { otherwise: "unknown", reads: "-n", valued: "-c -o -O", optionsFirst: true },
  "gcc g++ cc c++ clang clang++ rustc zig": {
    otherwise: "unknown",
    wholeOptions: true,
    reads: "-fsyntax-only -dumpversion -dumpmachine -print-search-dirs",
    values: { "-o": { "/dev/null": "unknown", "*": "changes" } },
  },
  "make gmake": {
    otherwise: "unknown",
    reads: "-n --just-print --dry-run --recon -q --question",
    alone: "-v",
    valued: "-C -f -I -o -W --directory --file",
    attached: "-j -l",
  },
  just: {
    otherwise: "unknown",
    optionsFirst: true,
    reads: "-l --list --summary --show --dry-run -n --evaluate --variables --dump",
  },
  "task rake invoke nox tox": {
    otherwise: "unknown",
    optionsFirst: true,
    reads: "-l --list --list-all -T -P --summary",
  },
  "ninja cmake ctest meson bazelisk": { otherwise: "unknown", reads: "-N --show-only" },
  bazel: {
    otherwise: "unknown",
    sub: { "query cquery aquery info version help": "reads", "clean shutdown sync": "changes" },
  },
  "gradle gradlew mvn mvnw sbt ant": {
    otherwise: "unknown",
    alone: "-v -version",
    sub: { "tasks projects properties dependencies dependencyInsight": "reads", clean: "unknown" },
  },
  dotnet: {
    otherwise: "unknown",
    reads: "--info --version --list-sdks --list-runtimes",
    sub: {
      list: "reads",
      "add remove new restore publish pack clean workload tool": "changes",
      nuget: { otherwise: "changes", sub: { list: "reads" } },
      format: { otherwise: "changes", reads: "--verify-no-changes" },
    },
  },
  mix: {
    otherwise: "unknown",
    sub: {
      format: { otherwise: "changes", reads: "--check-formatted --dry-run" },
      "deps.get deps.update deps.clean clean": "changes",
    },
  },
  nginx: { otherwise: "unknown", reads: "-t -T -v -V", changes: "-s", valued: "-c -p -g -e" },
  xcodebuild: {
    otherwise: "unknown",
    wholeOptions: true,
    reads: "-list -version -showsdks -showBuildSettings -showdestinations",
  },
  "lipo codesign": {
    otherwise: "unknown",
    wholeOptions: true,
    reads: "-info -archs -d -dv -dvv -dvvv -v --display --verify",
  },
  "code cursor codium": {
    otherwise: "unknown",
    reads: "--list-extensions --status",
    changes: "--install-extension --uninstall-extension",
  },
  "vim vi nvim nano emacs ed ex": "unknown",
  tar: {
    otherwise: "unknown",
    valued: "-f --file -C --directory -T -X --exclude --transform --strip-components",
    script: "tar",
  },
  bsdtar: { otherwise: "unknown", valued: "-f --file -C --directory -T -X --exclude", script: "tar" },
  zip: { otherwise: "changes", reads: "-T -sf" },
  unzip: { otherwise: "changes", reads: "-l -v -t -Z -p -z" },
  "7z 7za 7zz rar unrar": { otherwise: "changes", sub: { "l t lb lt vb": "reads" } },
  "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 brotli pigz": COMPRESSOR,
  cpio: { otherwise: "changes", reads: "-t --list" },
  ar: { otherwise: "changes", sub: { "t* p*": "reads" } },
};

const DOCKER_COMPOSE: ProgramRule = {
  otherwise: "changes",
  valued: "-f --file -p --project-name --env-file --profile --project-directory",
  sub: {
    "ps logs config images top ls version port events stats convert": "reads",
    exec: IN_CONTAINER,
    "run build": "unknown",
  },
};
const CONTAINERS: Readonly<Record<string, Rule>> = {
  "docker podman nerdctl": {
    otherwise: "changes",
    operands: ["reads", "changes"],
    valued: "-H --host -c --context --config -l --log-level",
    sub: {
      "ps images inspect logs version info stats top port diff history search events wait help": "reads",
      "image container volume network context node service stack secret plugin manifest buildx builder system swarm pod machine config checkpoint trust":
        {
          otherwise: "changes",
          operands: ["reads"],
          sub: {
            "ls list ps inspect logs history top port stats diff df info events show du version exists": "reads",
            exec: IN_CONTAINER,
            build: "unknown",
            "*": "changes",
          },
        },
      compose: DOCKER_COMPOSE,
      exec: IN_CONTAINER,
      build: "unknown",
    },
  },
  "docker-compose podman-compose": DOCKER_COMPOSE,
  "crictl ctr": {
    otherwise: "changes",
    sub: { "ps pods images img inspect inspecti inspectp logs stats version info": "reads" },
  },
  "kubectl oc k kubecolor": {
    otherwise: "changes",
    operands: ["reads"],
    valued: "-n --namespace --context --kubeconfig --cluster --user -s --server --as -v",
    sub: {
      "get describe logs top version api-resources api-versions explain cluster-info diff events wait options help completion":
        "reads",
      config: { otherwise: "changes", sub: { "view current-context get-*": "reads" } },
      auth: { otherwise: "unknown", sub: { "can-i whoami": "reads" } },
      rollout: { otherwise: "changes", sub: { "status history": "reads" } },
      exec: IN_CONTAINER,
      "port-forward proxy attach debug run edit kustomize plugin": "unknown",
      "*": { otherwise: "changes", values: { "--dry-run": { client: "reads", server: "reads", "*": "changes" } } },
    },
  },
  kustomize: {
    otherwise: "unknown",
    sub: { build: PRINTS_UNLESS_OUTPUT, "version cfg": "reads", "edit create": "changes" },
  },
  "kubectx kubens": HASH_OR_SHOW,
  helm: {
    otherwise: "changes",
    valued: "-n --namespace --kube-context --kubeconfig",
    sub: {
      "list ls status get history search show inspect lint version env verify help": "reads",
      template: { otherwise: "reads", changes: "--output-dir" },
      "repo plugin dependency dep": { otherwise: "changes", sub: { "list ls": "reads" } },
      "*": { otherwise: "changes", reads: "--dry-run" },
    },
  },
  "terraform tofu terragrunt": {
    otherwise: "unknown",
    wholeOptions: true,
    sub: {
      plan: { otherwise: "reads", wholeOptions: true, changes: "-out" },
      "validate show output version graph metadata": "reads",
      providers: { otherwise: "changes", operands: ["reads"], sub: { schema: "reads", "*": "changes" } },
      "state workspace": { otherwise: "changes", sub: { "list show pull": "reads" } },
      fmt: { otherwise: "changes", wholeOptions: true, reads: "-check --check" },
      "init apply destroy import taint untaint refresh get force-unlock login logout": "changes",
      "console test": "unknown",
    },
  },
  pulumi: {
    otherwise: "unknown",
    sub: {
      "preview whoami version about logs": "reads",
      "up destroy refresh import cancel new login logout": "changes",
      stack: { otherwise: "changes", operands: ["reads"], sub: { "ls output history graph": "reads", "*": "changes" } },
    },
  },
  "ansible ansible-playbook vagrant packer": {
    otherwise: "unknown",
    reads: "--version --list-hosts --list-tasks --syntax-check",
    sub: { "status global-status validate": "reads" },
  },
  aws: {
    otherwise: "unknown",
    valued: "--profile --region --output --endpoint-url --query",
    sub: {
      s3api: {
        otherwise: "unknown",
        sub: {
          "get-object get-object-torrent": "changes",
          "list-* get-* head-* wait": "reads",
          "create-* delete-* put-* copy-* upload-*": "changes",
        },
      },
      s3: { otherwise: "changes", sub: { ls: "reads", presign: "reads" } },
      logs: { otherwise: "unknown", sub: { "tail filter-log-events describe-* get-*": "reads" } },
      configure: { otherwise: "changes", sub: { "list list-profiles get": "reads" } },
      "*": {
        otherwise: "unknown",
        sub: {
          "describe-* list-* get-* head-* batch-get-* lookup-* search-* simulate-* wait query scan ls": "reads",
          "create-* delete-* update-* put-* modify-* start-* stop-* terminate-* run-* attach-* detach-* tag-* untag-* reboot-*":
            "changes",
        },
      },
    },
  },
  "gcloud az doctl oci ibmcloud": {
    otherwise: "unknown",
    sub: {
      "info version help": "reads",
      "*": {
        otherwise: "unknown",
        sub: {
          "list show describe get read status logs get-value": "reads",
          "*": {
            otherwise: "unknown",
            sub: {
              "list show describe read get-value status": "reads",
              "*": { otherwise: "unknown", sub: { "list show describe": "reads" } },
            },
          },
        },
      },
    },
  },
  "fly flyctl heroku vercel netlify railway render wrangler firebase supabase eas": {
    otherwise: "unknown",
    sub: {
      "status logs log ps list ls inspect whoami info help ping tail releases": "reads",
      "deploy destroy scale restart secrets publish promote rollback login logout link init": "changes",
    },
  },
};

const FORGE_READS = "view list ls status diff checks show get search comments files trace lint";
const FORGE_SUB: Readonly<Record<string, Rule>> = {
  [FORGE_READS]: { otherwise: "reads", unknown: "-w --web" },
  watch: "reads",
  token: "reads",
  "item-list field-list verify": "reads",
};
const FORGES: Readonly<Record<string, Rule>> = {
  "gh glab hub tea": {
    otherwise: "unknown",
    operands: ["reads"],
    valued: "-R --repo",
    sub: {
      "run ci pipeline job": {
        otherwise: "changes",
        operands: ["reads"],
        valued: "-R --repo",
        sub: { [FORGE_READS]: "reads", watch: "reads" },
      },
      "pr mr issue workflow repo release gist label secret variable cache project ruleset auth extension config alias codespace org ssh-key gpg-key attestation snippet milestone schedule user cluster":
        {
          otherwise: "changes",
          operands: ["reads"],
          valued: "-R --repo",
          sub: FORGE_SUB,
        },
      "search status version help completion": "reads",
      api: {
        otherwise: "reads",
        values: { "-X --method": { GET: "reads", HEAD: "reads", "*": "changes" } },
        valued: "-f -F --field --raw-field -H --header -q --jq -t --template --hostname -p --preview --cache",
        changes: "--input",
        script: "gh-api",
      },
      "browse copilot": "unknown",
    },
  },
};

const SQL_SHELL: ProgramRule = {
  otherwise: "unknown",
  reads: "-l --list",
  alone: "-V",
  values: { "-o --output": { "*": "changes" } },
  unknown: "-f --file",
  valued:
    "-c --command -e --execute -q --query -h --host -p --port -U --username -u --user -d --dbname -D --database -v --set -P -F -R",
  script: "sql-option",
};
const DATABASES: Readonly<Record<string, Rule>> = {
  "psql pgcli": SQL_SHELL,
  "mysql mariadb": {
    ...SQL_SHELL,
    attached: "-p",
    valued: "-e --execute -h --host -P --port -u --user -D --database",
    reads: "",
  },
  "clickhouse-client": { ...SQL_SHELL, reads: "" },
  "sqlite3 sqlite duckdb": {
    otherwise: "unknown",
    wholeOptions: true,
    reads: "-version --version",
    unknown: "-init",
    valued: "-cmd -separator -nullvalue",
    script: "sql-operand",
  },
  "redis-cli valkey-cli": { otherwise: "unknown", valued: "-h -p -a -n -u --user --pass", script: "redis" },
  mysqladmin: { otherwise: "unknown", sub: { "ping status version processlist extended-status variables": "reads" } },
  "pg_dump pg_dumpall mysqldump": { otherwise: "reads", changes: "-f --file -r --result-file" },
  "mongosh mongo": "unknown",
};

/** `tama` and `oko` release nothing but what the spec says, so here they are looks; `tama wait` is a wrapper. */
const OWN: Readonly<Record<string, Rule>> = { "tama oko": "reads" };

/** Modules that `python -m` runs and that are programs of this table. */
export const PYTHON_MODULES: ReadonlySet<string> = new Set([
  "pip",
  "ruff",
  "black",
  "isort",
  "mypy",
  "flake8",
  "pylint",
  "pyright",
  "uv",
  "pipx",
]);

/** Programs whose `COMMAND --help` might run COMMAND: of these only the bare `--help` is a look. */
export const RUNS_WHAT_IT_IS_GIVEN: ReadonlySet<string> = new Set(
  "bash sh zsh dash ksh ash fish python ruby perl node nodejs deno bun php lua java tsx ts-node yarn pnpm npx bunx uvx uv poetry pipenv bundle just task make rake docker podman kubectl ssh".split(
    " ",
  ),
);

/** Where two name a program, the later stands. */
const TABLES: readonly Readonly<Record<string, Rule>>[] = [
  { [READS]: "reads", [CHANGES]: "changes" },
  SEARCH,
  PROCESSES,
  { git: GIT },
  OTHER_REVISIONS,
  NETWORK,
  PACKAGES,
  TOOLS,
  CONTAINERS,
  FORGES,
  DATABASES,
  OWN,
];

const lookedUp = new Map<string, Rule | null>();
const LOOKED_UP_MOST = 4096;

/**
 * The rule of a program by its basename; null when the table does not know it. The lists are searched as they stand: a hook's process
 * asks after one program or two, and building a map of them all costs its start a third of what it costs.
 */
export function programRule(name: string): Rule | null {
  const known = lookedUp.get(name);
  if (known !== undefined) return known;
  const rule = lookUp(name);
  if (lookedUp.size < LOOKED_UP_MOST) lookedUp.set(name, rule);
  return rule;
}

function lookUp(name: string): Rule | null {
  if (name === "" || /\s/.test(name)) return null;
  let found: Rule | null = null;
  for (const table of TABLES)
    for (const [names, rule] of Object.entries(table)) if (holdsWord(names, name)) found = rule;
  return found;
}

function holdsWord(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at !== -1; at = list.indexOf(word, at + 1)) {
    if (isBreak(list[at - 1]) && isBreak(list[at + word.length])) return true;
  }
  return false;
}

function isBreak(character: string | undefined): boolean {
  return character === undefined || character === " " || character === "\n";
}
