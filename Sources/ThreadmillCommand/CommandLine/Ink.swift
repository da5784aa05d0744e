/// Colours, for who wants them; plain text for everybody else.
package struct Ink: Sendable {
  package enum Colour: Int, Sendable {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36
  }

  package let isColoured: Bool

  package init(isColoured: Bool) { self.isColoured = isColoured }

  package func callAsFunction(_ colour: Colour, _ text: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
