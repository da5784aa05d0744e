# Measures Swift and C sources: length of files and functions, depth of braces, width of lines.
#
#   awk -f scripts/lib/metrics.awk FILE...
#
# Prints one line for each measure that is too large; exits with 1 if one of them is an error.
# Strings and comments do not count as code. Accessors and closures count towards the function or
# type around them.
#
#              warning   error
#   file          >300    >500   lines
#   function       >40     >60   lines, from its first word to its closing brace
#   braces         >=5     >=6   deep, counted from the outermost type
#   width            -    >100   characters, of lines in C and of comments in Swift (swift format
#                                looks after the rest); a line with a web address may be longer

function complain(line, severity, text) {
  printf "%s:%d: %s: %s\n", FILENAME, line, severity, text
  if (severity == "error") errors++
}

function judge(line, what, value, soft, hard, unit) {
  if (value > hard) complain(line, "error", what " " value " " unit ", more than " hard)
  else if (value > soft) complain(line, "warning", what " " value " " unit ", more than " soft)
}

function start_file() {
  swift = FILENAME ~ /\.swift$/
  depth = parens = comments = open_functions = conditions = nesting = 0
  deepest = deepest_line = statement_line = pending_line = 0
  mode = "code"; statement = word = ""; directive_goes_on = 0
}

# The measures that are known only when the file has been read.
function finish_file(name, lines,    saved) {
  saved = FILENAME; FILENAME = name
  judge(lines, "the file has", lines, 300, 500, "lines")
  judge(deepest_line, "braces are", deepest, 4, 5, "deep")
  FILENAME = saved
}

function judge_width(line,    shown) {
  if (line ~ /https?:\/\// || (swift && line !~ /^[ \t]*\/\//)) return
  shown = width_of(line)
  if (shown > 100) complain(FNR, "error", "the line is " shown " characters wide, more than 100")
}

function width_of(line) {
  gsub(/[\200-\277]/, "", line)  # the continuation bytes of UTF-8
  return length(line)
}

# Only one branch of a condition is compiled: each starts at the depth of the first.
function follow_directive(line) {
  if (line ~ /^[ \t]*#[ \t]*if/) depth_at[++conditions] = depth
  else if (line ~ /^[ \t]*#[ \t]*el/ && conditions) depth = depth_at[conditions]
  else if (line ~ /^[ \t]*#[ \t]*endif/ && conditions) conditions--
}

function begins_function() {
  if (swift) return pending_line && parens == pending_parens
  return depth == 0 && statement ~ /\(/ && statement !~ /=/
}

function open_brace() {
  if (begins_function()) {
    function_line[++open_functions] = swift ? pending_line : statement_line
    function_depth[open_functions] = depth
    pending_line = 0
  }
  if (++depth > deepest) { deepest = depth; deepest_line = FNR }
  if (depth == 1) statement = ""
}

function close_brace() {
  if (depth > 0) depth--
  if (open_functions && function_depth[open_functions] == depth) {
    judge(function_line[open_functions], "a function has", \
      FNR - function_line[open_functions] + 1, 40, 60, "lines")
    open_functions--
  }
  pending_line = 0
  if (depth == 0) statement = ""
}

function end_word() {
  if (word ~ /^(func|init|deinit|subscript)$/ && !after_dot && !pending_line) {
    pending_line = FNR; pending_parens = parens
  } else if (parens == pending_parens && word ~ other_declaration) {
    pending_line = (word ~ /^(func|init)$/ && !after_dot) ? FNR : 0
  }
  word = ""
}

function code_character(c) {
  if (c ~ /[A-Za-z0-9_]/) {
    if (word == "") after_dot = previous == "."
    word = word c
  } else if (word != "") end_word()
  if (c == "{") open_brace()
  else if (c == "}") close_brace()
  else if (c == "(" || c == "[") parens++
  else if ((c == ")" || c == "]") && parens > 0) parens--
  if (depth == 0) {
    if (c == ";") statement = ""
    else if (c !~ /[ \t\n}]/) {
      if (statement == "") statement_line = FNR
      statement = statement c
    }
  }
  previous = c
}

# A string is entered: remembers what ends it, and where to go on afterwards.
function open_string(quote, hashes) {
  nesting++
  ending[nesting] = quote hashes; escape[nesting] = "\\" hashes; resume_parens[nesting] = -1
  mode = "string"
}

# Takes one step at `at` inside a string; returns the position behind what it used.
function string_part(line, at,    rest) {
  rest = substr(line, at)
  if (swift && index(rest, escape[nesting] "(") == 1) {
    resume_parens[nesting] = parens; parens++; mode = "code"
    return at + length(escape[nesting]) + 1
  }
  if (index(rest, escape[nesting]) == 1) return at + length(escape[nesting]) + 1
  if (index(rest, ending[nesting]) == 1) {
    at += length(ending[nesting]); nesting--; mode = "code"
    return at
  }
  return at + 1
}

function comment_part(line, at,    two) {
  two = substr(line, at, 2)
  if (two == "*/") { if (--comments == 0) mode = "code"; return at + 2 }
  if (two == "/*" && swift) { comments++; return at + 2 }
  return at + 1
}

# Tries to enter a string or a comment at `at`; returns the position behind its opening, or 0.
function opening(line, at,    rest, hashes) {
  rest = substr(line, at, 12)
  if (rest ~ /^\/\//) return length(line) + 1
  if (rest ~ /^\/\*/) { comments = 1; mode = "comment"; return at + 2 }
  if (swift && match(rest, /^#+"/)) {
    hashes = substr(rest, 1, RLENGTH - 1); at += RLENGTH - 1; rest = substr(line, at, 3)
  } else hashes = ""
  if (swift && rest ~ /^"""/) { open_string("\"\"\"", hashes); return at + 3 }
  if (rest ~ /^"/) { open_string("\"", hashes); return at + 1 }
  if (!swift && rest ~ /^'/) { open_string("'", ""); return at + 1 }
  return 0
}

function code_part(line, at,    behind, c) {
  behind = opening(line, at)
  if (behind) { if (word != "") end_word(); return behind }
  c = substr(line, at, 1)
  code_character(c)
  if (c == ")" && nesting && parens == resume_parens[nesting]) mode = "string"
  return at + 1
}

BEGIN {
  # What shows that a function without a body (a requirement of a protocol) has ended.
  other_declaration = "^(var|let|case|func|init|struct|enum|extension|protocol)$"
  directive = "^[ \t]*#[ \t]*(if|el|end|define|include|pragma|error|warning|undef)"
}
FNR == 1 { if (name != "") finish_file(name, count); start_file(); name = FILENAME }
{
  count = FNR
  judge_width($0)
  if (mode == "code" && (directive_goes_on || $0 ~ directive)) {
    follow_directive($0)
    directive_goes_on = !swift && $0 ~ /\\$/
    next
  }
  for (at = 1; at <= length($0); ) {
    if (mode == "string") at = string_part($0, at)
    else if (mode == "comment") at = comment_part($0, at)
    else at = code_part($0, at)
  }
  if (mode == "code") code_character("\n")
  else if (mode == "string" && ending[nesting] !~ /"""/) { mode = "code"; nesting-- }
}
END { if (name != "") finish_file(name, count); exit errors > 0 }
