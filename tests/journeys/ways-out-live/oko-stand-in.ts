/**
 * Oko is another product and is not here: this says its own words for the commands that refusals print, and publishes the register as Oko
 * does. What is followed is that the gates let the printed words through, that they arrive whole, and that the call is free at their end.
 */
export const oko = `
register() { mkdir -p ~/.oko; cat > ~/.oko/defects.json; }
open='{"open":[{"id":"D-1","title":"t","owner":null,"claimedFixed":CLAIMED,"blocks":["BLOCKS"]}],"closed":[],"events":[]}'
case "$1 $2" in
"defects record") [ "$#" = 5 ] && [ "$4" = --blocks ] || exit 2
  printf '%s' "$5" > ~/.oko-blocks
  printf '%s' "$open" | sed "s/CLAIMED/false/; s/BLOCKS/$5/" | register; echo "D-1 is recorded: $3" ;;
"defects show") [ "$3" = D-1 ] || exit 2; echo 'D-1 is open' ;;
"defects fix") [ "$3 $4 $6 $7" = 'D-1 --by --commit abc123' ] || exit 2
  printf '%s' "$open" | sed "s/CLAIMED/true/; s/BLOCKS/$(cat ~/.oko-blocks)/" | register; echo 'D-1 is fixed' ;;
"defects verify") [ "$3" = D-1 ] || exit 2
  printf '{"open":[],"closed":[{"id":"D-1","title":"t","owner":null,"blocks":["%s"],"closure":"e-1"}],"events":[{"id":"e-1","defect":"D-1","kind":"fixed","at":"%s"}]}' \\
    "$(cat ~/.oko-blocks)" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" | register; echo 'D-1 is verified' ;;
*) exit 2 ;;
esac`;
