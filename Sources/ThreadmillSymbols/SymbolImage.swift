/// Names the code of one executable or library: the function, file and line of an address, and the
/// functions that the compiler has inlined there.
///
/// Reads the bytes in place, and only those that an address needs; the bytes may be damaged. The
/// caller owns them and must leave them where they are. For one thread at a time.
package final class SymbolImage {
  /// One function at an address, which has several if calls were inlined.
  package struct Frame: Hashable, Sendable {
    /// The linker's name: mangled.
    package let name: String
    /// The distance from the start of the function.
    package let offset: UInt64
    package let isInlined: Bool
    package let file: String?
    package let line: Int
    package let column: Int
  }

  /// A variable with a fixed address: a global, or a static one of a type or of a function.
  package struct Variable: Hashable, Sendable {
    /// The linker's name: mangled.
    package let name: String
    /// The distance from the start of the variable.
    package let offset: UInt64
    package let file: String?
    package let line: Int
  }

  private let file: ELFFile
  private lazy var functions = SymbolTable(file, .functions)
  private lazy var variables = SymbolTable(file, .variables)
  private var debugInformation: DebugInformation?

  /// `nil` if the bytes are no 64-bit little-endian ELF.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let file = ELFFile(bytes) else { return nil }
    self.file = file
  }

  /// Returns whether a loaded image comes from this file: both have the same program headers and,
  /// in memory, the same notes, one of which identifies the build.
  ///
  /// `headers` are those of the image, which lies `moved` bytes behind the addresses of its file.
  package func isFile(ofImageWith headers: UnsafeRawBufferPointer, moved: UInt) -> Bool {
    guard file.programHeaders.elementsEqual(headers) else { return false }
    return file.notes.allSatisfy { note in
      let loaded = UnsafeRawPointer(bitPattern: moved &+ UInt(note.address))
      return UnsafeRawBufferPointer(start: loaded, count: note.contents.count)
        .elementsEqual(note.contents)
    }
  }

  /// The number of units of debug information that could not be read so far.
  package var brokenUnits: Int { debugInformation?.broken ?? 0 }

  /// Returns the functions that an address is in, innermost first; empty if it is in none.
  ///
  /// Addresses are those of the file, not of the loaded image. Code that the compiler has added has
  /// no line; with `orNear` it has the line of the code around it in the function.
  package func frames(at address: UInt64, orNear: Bool = false) -> [Frame] {
    let information = information
    let symbol = functions.find(address)
    let found = information.find(address, orNear: orNear)
    var frames = (found?.calls ?? []).compactMap { call in
      call.name.map { Frame($0, offset: 0, isInlined: true, call.place) }
    }
    // Line tables do not have the mangled name of a function, and a private one has no symbol.
    guard let name = symbol?.name ?? found?.function else { return frames }
    let offset = symbol.map { address - $0.start } ?? 0
    frames.append(Frame(name, offset: offset, isInlined: false, found?.place))
    return frames
  }

  /// Returns the variable that lies at an address of the file, with its declaration; `nil` if none
  /// does.
  package func variable(at address: UInt64) -> Variable? {
    guard let symbol = variables.find(address) else { return nil }
    let found = information.variable(at: symbol.start)
    // Of a static variable in a function, gcc numbers the name for the linker.
    let numbered = found?.name.flatMap { symbol.name.hasPrefix("\($0).") ? $0 : nil }
    let place = found?.place.flatMap { $0.line > 0 ? $0 : nil }
    return Variable(
      name: numbered ?? symbol.name, offset: address - symbol.start, file: place?.path,
      line: place?.line ?? 0)
  }

  /// Returns the code of all files with a name: by path and line, as addresses of this file.
  package func code(ofFilesNamed name: String) -> [String: [Int: [Range<UInt64>]]] {
    information.code(ofFilesNamed: name)
  }

  private var information: DebugInformation {
    let information = debugInformation ?? DebugInformation(DebugSections(file))
    debugInformation = information
    return information
  }
}

extension SymbolImage.Frame {
  fileprivate init(
    _ name: String, offset: UInt64, isInlined: Bool, _ place: DebugInformation.Place?
  ) {
    let known = place.flatMap { $0.line > 0 ? $0 : nil }
    self.init(
      name: name, offset: offset, isInlined: isInlined, file: known?.path, line: known?.line ?? 0,
      column: known?.column ?? 0)
  }
}
