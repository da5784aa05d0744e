#if os(Linux)
  import CThreadmillGate
  import Glibc
  import ThreadmillModel

  /// The layouts of Swift's values and of its runtime that the gate reads (`threadmill_layouts.h`).
  enum Layouts {
    private final class Element {}

    /// Gives the gate values to compare with. Called once, before the gate is activated.
    static func prepare() {
      moveForTests()
      let (first, second) = (Element(), Element())
      let array = [first, second]
      // Made at run time, so that it lies in storage of its own.
      let stored = String(repeating: "0123456789", count: 2)
      withExtendedLifetime((array, stored)) {
        var samples = tm_swift_samples(
          strings: (
            words(of: "isFinished"), words(of: "größer"), words(of: "a literal in the program"),
            words(of: stored)
          ),
          array: unsafeBitCast(array, to: UnsafeRawPointer.self),
          elements: (address(of: first), address(of: second)))
        tm_layout_samples(&samples)
      }
    }

    private static func words(of text: String) -> tm_string_words {
      let (first, second) = unsafeBitCast(text, to: (UInt64, UInt64).self)
      return tm_string_words(first: first, second: second)
    }

    private static func address(of element: Element) -> UnsafeRawPointer {
      UnsafeRawPointer(Unmanaged.passUnretained(element).toOpaque())
    }

    /// Does as ``MovedLayouts/variable`` says.
    private static func moveForTests() {
      guard let text = getenv(MovedLayouts.variable) else { return }
      let names = String(cString: text).split(separator: ",")
      let all = (0..<TM_LAYOUTS.rawValue).map { tm_layout($0) }
      for layout in all where names.contains(Substring(String(cString: tm_layout_name(layout)))) {
        tm_layout_move(layout)
      }
    }
  }
#endif
