#!/usr/bin/env bash
# Counts the instructions that operations take on arm64, of this tree and of another commit's, by qemu's own log: one line an instruction.
#   test/bench/count_arm64.sh NOW BEFORE [OPERATION…]     two op_calls (op_calls.cpp) for arm64, linked -static
# A call's count is that of three calls less that of one, divided by two. Needs Debian's qemu-user-static, whose build has no plugins.
set -euo pipefail
now=$1 before=$2
shift 2
count() {
  "${QEMU:-qemu-aarch64-static}" -singlestep -d exec,nochain "$1" "$2" "$3" 2>&1 > /dev/null | wc -l
}
a_call() {
  echo $((($(count "$1" "$2" 3) - $(count "$1" "$2" 1)) / 2))
}
printf '%-12s %12s %12s %12s\n' operation before now before/now
for op in "${@:-threshold}"; do
  b=$(a_call "$before" "$op")
  n=$(a_call "$now" "$op")
  printf '%-12s %12d %12d %12s\n' "$op" "$b" "$n" "$(awk "BEGIN { printf \"%.2f\", $b / $n }")"
done
