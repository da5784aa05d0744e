# Reads the facts that scripts/lib/floors collects, and checks them or draws them.

function floor_of(file) { sub(/\/[^\/]*$/, "", file); return file }
function unit_of(file) { sub(/\.[ch]$/, "", file); return file }
function is_part(file) { return file ~ /\/part\.h$/ }

function complain(text) { print "floors: " text > "/dev/stderr"; failed = 1 }

# An arrow between two units. `file` needs something of `other`.
function arrow(file, other, why, from, to) {
  from = floor_of(file); to = floor_of(other)
  if (unit_of(file) == unit_of(other)) return
  if (!(from in level)) return complain(file " lies in no floor that scripts/lib/floors knows")
  if (!(to in level)) return complain(other " lies in no floor that scripts/lib/floors knows")
  if (is_part(other) && file == "ground/thread.h") return
  if (level[to] > level[from] || (level[to] == level[from] && from != to))
    complain(file " must not need " other ", which is not below it: " why)
  if (from != to) between[from, to]++
  if (!((unit_of(file), unit_of(other)) in known)) {
    known[unit_of(file), unit_of(other)] = 1
    arrows[unit_of(file)] = arrows[unit_of(file)] " " unit_of(other)
  }
}

$1 == "floor" {
  name = substr($3, 1, length($3) - 1)
  level[name] = $2; order[++count] = name
  lives[name] = substr($0, index($0, ": ") + 2)
}
$1 == "file" { units[unit_of($2)] = 1; files[floor_of($2)]++ }
$1 == "defines" { definer[$3] = $2 }
$1 == "needs" { need[++needs] = $2 " " $3 }
$1 == "includes" { include[++includes] = $2 " " $3 }
$1 == "part" { part[$3] = $2 }
$1 == "touches" { if (($2, $3) in touched) next; touched[$2, $3] = 1; touch[++touches] = $2 " " $3 }
$1 == "upcall" { upcall[$3] = $2; upcalls[floor_of($2)] = upcalls[floor_of($2)] " " $3 }

# Tarjan: files that need each other.
function visit(unit, i, n, next_units, other, members, size, folders, seen) {
  low[unit] = number[unit] = ++numbered
  stack[++depth] = unit; stacked[unit] = 1
  n = split(arrows[unit], next_units, " ")
  for (i = 1; i <= n; i++) {
    other = next_units[i]
    if (!(other in number)) { visit(other); if (low[other] < low[unit]) low[unit] = low[other] }
    else if (stacked[other] && number[other] < low[unit]) low[unit] = number[other]
  }
  if (low[unit] != number[unit]) return
  members = ""; size = 0; folders = 0
  do {
    other = stack[depth--]; stacked[other] = 0
    members = members " " other; size++
    if (!((floor_of(other), unit) in seen_floor)) { seen_floor[floor_of(other), unit] = 1; folders++ }
  } while (other != unit)
  if (size > largest) largest = size
  if (size > 5 || folders > 1) complain(size " files need each other:" members)
}

END {
  for (i = 1; i <= needs; i++) {
    split(need[i], word, " ")
    if (word[2] in upcall) {
      if (level[floor_of(word[1])] < level[floor_of(upcall[word[2]])] || !(word[2] in definer))
        complain(word[1] " calls " word[2] ", which is declared above it or defined nowhere")
      continue
    }
    if (word[2] in definer) arrow(word[1], definer[word[2]], word[2])
  }
  for (name in upcall)
    if (name in definer && level[floor_of(definer[name])] <= level[floor_of(upcall[name])])
      complain(name " of " upcall[name] " is defined in " definer[name] ": no call upwards")
  for (i = 1; i <= includes; i++) {
    split(include[i], word, " ")
    if (word[2] !~ /\//) continue
    arrow(word[1], word[2], "#include")
    if (is_part(word[1]) && floor_of(word[2]) != "ground")
      complain(word[1] " holds data only, and includes " word[2])
  }
  for (i = 1; i <= touches; i++) {
    split(touch[i], word, " ")
    if (word[2] in part) arrow(word[1], part[word[2]], "->" word[2])
  }
  for (unit in units) if (!(unit in number)) visit(unit)
  if (failed) exit 1
  print "| floor | what lives there | files | needs | calls up |"
  print "| --- | --- | --- | --- | --- |"
  for (i = count; i >= 1; i--) {
    below = ""
    for (j = count; j >= 1; j--)
      if ((order[i], order[j]) in between) below = below (below ? ", " : "") order[j]
    asks = substr(upcalls[order[i]], 2)
    gsub(/tm_[a-z_]+/, "`&`", asks)
    printf "| `%s` | %s | %d | %s | %s |\n", order[i], lives[order[i]], files[order[i]], below ? below : "–", asks ? asks : "–"
  }
  print "floors: no arrow upwards; the largest group of files that need each other has " largest > "/dev/stderr"
}
