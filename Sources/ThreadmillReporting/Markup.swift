/// What the syntaxes of HTML and XML have in common: values that no text from outside can turn into
/// markup.
package enum Markup {
  /// A name that stands in the source code: no text from outside can be one. Written as it stands.
  package struct StaticName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(stringLiteral text: StaticString) { self.text = text.description }
  }

  /// Its value is escaped where it is written.
  package struct Attribute: Hashable, Sendable {
    package let name: StaticName
    package let value: String

    package init(_ name: StaticName, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}
