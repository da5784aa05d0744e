/// What is wrong with a JSON text, and at which byte, counted from 0.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: String, Hashable, Sendable {
    case invalidUTF8 = "invalid UTF-8"
    case unexpectedEnd = "unexpected end"
    case unexpectedByte = "unexpected byte"
    case badNumber = "bad number"
    case badEscape = "bad escape"
    case controlCharacter = "unescaped control character"
    case tooDeep = "nested too deeply"
    case repeatedName = "repeated name"
    case trailingBytes = "something after the end"
    case tooLong = "longer than any report"
  }

  package let problem: Problem
  package let offset: Int

  package var description: String { "\(problem.rawValue) at byte \(offset)" }
}
