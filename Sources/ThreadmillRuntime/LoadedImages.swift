#if os(Linux)
  import CThreadmillGate
  import Glibc
  import ThreadmillModel
  import ThreadmillSymbols

  /// The executable and the libraries of this process, with the symbols and debug information in
  /// their files.
  ///
  /// Each look-up asks which images are loaded; a file is opened when it is first needed.
  struct LoadedImages {
    private final class Image {
      let path: String
      let moved: UInt
      let name: String
      /// `nil` if the file is missing, or is no longer the one that was loaded.
      let symbols: SymbolImage?

      init(path: String, moved: UInt, name: String, symbols: SymbolImage?) {
        (self.path, self.moved, self.name, self.symbols) = (path, moved, name, symbols)
      }
    }

    /// The images, by the address of their program headers.
    private var known: [UnsafeRawPointer: Image] = [:]
    private var changed = 0

    /// The counts of debug information that could not be read, by name.
    var accounting: [String: Int] {
      let broken = known.values.reduce(0) { $0 + ($1.symbols?.brokenUnits ?? 0) }
      return ["debugUnitsNotRead": broken, "filesChangedSinceLoaded": changed]
    }

    /// Returns the frames at a return address, innermost first; the call lies right before that
    /// address. With `orNear`, code without a line gets the line of the code around it.
    mutating func frames(of address: UInt64, orNear: Bool = false) -> [Frame]? {
      var loaded = tm_image()
      guard address > 0, tm_image_at(UInt(address - 1), &loaded) else { return nil }
      let image = self.image(loaded)
      guard let symbols = image.symbols else { return nil }
      let frames = symbols.frames(at: address - 1 - UInt64(loaded.moved), orNear: orNear)
      return frames.isEmpty ? nil : frames.map { Frame($0, at: address, image: image.name) }
    }

    /// Returns the global or static variable that lies at an address; `nil` if none does.
    mutating func variable(at address: UInt64) -> Frame? {
      var loaded = tm_image()
      guard tm_image_at(UInt(address), &loaded) else { return nil }
      let image = self.image(loaded)
      guard let found = image.symbols?.variable(at: address - UInt64(loaded.moved)) else {
        return nil
      }
      return Frame(found, at: address, image: image.name, isSystem: tm_is_system_code(loaded.code))
    }

    /// Returns the code of all files with a name that the loaded images were made of: by path and
    /// line.
    mutating func code(ofFilesNamed name: String) -> [String: [Int: [Range<UInt>]]] {
      var loaded = Array(repeating: tm_image(), count: Self.mostImages)
      let count = Int(tm_images(&loaded, UInt32(loaded.count)))
      var code: [String: [Int: [Range<UInt>]]] = [:]
      for image in loaded.prefix(count) where !tm_is_system_code(image.code) {
        for (path, lines) in self.image(image).symbols?.code(ofFilesNamed: name) ?? [:] {
          code[path, default: [:]].merge(Self.moved(lines, by: image.moved)) { $0 + $1 }
        }
      }
      return code
    }

    private static func moved(
      _ lines: [Int: [Range<UInt64>]], by distance: UInt
    ) -> [Int: [Range<UInt>]] {
      lines.mapValues {
        $0.map { UInt($0.lowerBound) &+ distance..<UInt($0.upperBound) &+ distance }
      }
    }

    /// No program has as many.
    private static let mostImages = 1_000

    private mutating func image(_ loaded: tm_image) -> Image {
      let path = String(cString: loaded.path)
      if let image = known[loaded.headers], image.path == path, image.moved == loaded.moved {
        return image
      }
      let headers = UnsafeRawBufferPointer(start: loaded.headers, count: Int(loaded.header_bytes))
      let file = MappedFile(path: path.isEmpty ? Self.program : path)
      var symbols = file.flatMap { SymbolImage($0.bytes) }
      if symbols?.isFile(ofImageWith: headers, moved: loaded.moved) == false {
        symbols = nil
        changed += 1
      }
      let image = Image(path: path, moved: loaded.moved, name: Self.name(path), symbols: symbols)
      known[loaded.headers] = image
      return image
    }

    /// The path of the running program. It is right even if another file has the program's name by
    /// now, and if the main thread has ended.
    private static let program = "/proc/thread-self/exe"

    static var nameOfProgram: String { name("") }

    /// Returns the real name of an image's file: libraries are loaded through symbolic links. The
    /// path of the program itself is empty.
    private static func name(_ path: String) -> String {
      let end = path.isEmpty ? readlink(program) : realpath(path)
      return (end ?? path).split(separator: "/").last.map(String.init) ?? path
    }

    private static func realpath(_ path: String) -> String? {
      guard let real = Glibc.realpath(path, nil) else { return nil }
      defer { free(real) }
      return String(cString: real)
    }

    private static func readlink(_ path: String) -> String? {
      withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { room in
        let start = room.baseAddress?.assumingMemoryBound(to: CChar.self)
        let length = start.map { Glibc.readlink(path, $0, room.count) } ?? -1
        return length < 0 ? nil : String(decoding: room.prefix(length), as: UTF8.self)
      }
    }
  }

  extension Frame {
    fileprivate init(_ found: SymbolImage.Frame, at address: UInt64, image: String) {
      self.init(
        address: address, function: Self.demangled(found.name), file: found.file,
        line: found.file.map { _ in found.line }, column: found.column > 0 ? found.column : nil,
        image: image, offset: found.offset,
        isSystem: tm_is_thunk(found.name) || tm_is_system_code(UInt(address))
          || found.isThreadmills || found.isSanitizers || found.isToolchains
          || found.isInSystemHeader || found.isGenerated)
    }

    fileprivate init(
      _ found: SymbolImage.Variable, at address: UInt64, image: String, isSystem: Bool
    ) {
      let name = Self.withoutType(Self.demangled(found.name))
      self.init(
        address: address, function: found.offset == 0 ? name : "\(name)+\(found.offset)",
        file: found.file, line: found.file.map { _ in found.line }, image: image, offset: 0,
        isSystem: isSystem)
    }

    /// The name of a function, or of the variable that the function initialises.
    static func demangled(_ name: String) -> String {
      // The demangler leaves out the type that has the variable. With any type of its own, the
      // variable has a name for the linker.
      if name.hasPrefix("$s"), name.hasSuffix(initializer),
        let text = demangling("\(name.dropLast(initializer.count))Sivp")
      {
        return withoutType(text)
      }
      return demangling(name) ?? name
    }

    private static let initializer = "_WZ"

    private static func demangling(_ name: String) -> String? {
      guard let text = tm_demangle(name) else { return nil }
      defer { free(text) }
      let said = String(cString: text)
      // A closure in the code of main.swift: the demangler leaves out modules, and there is nothing
      // else that the closure is in.
      return said.hasSuffix(" in ") ? "\(said)main" : said
    }

    /// `Bank.registry` of `static Bank.registry : Registry`.
    private static func withoutType(_ text: String) -> String {
      let name = text.hasPrefix("static ") ? text.dropFirst("static ".count) : text[...]
      return name.firstRange(of: " : ").map { String(name[..<$0.lowerBound]) } ?? String(name)
    }
  }

  extension SymbolImage.Frame {
    /// Whether the function is Threadmill's, called by a user and linked into the user's own image.
    /// The mangled names of all functions of these modules begin with one of the prefixes.
    fileprivate var isThreadmills: Bool {
      [
        "$s10Threadmill", "$s17ThreadmillRuntime", "$s21ThreadmillAnnotations",
        "$s16ThreadmillXCTest", "$s17ThreadmillTesting",
      ].contains(where: name.hasPrefix)
    }

    /// Whether the function is the toolchain's, compiled into the user's own image because it is
    /// generic or inlinable. Such a function has no line there.
    fileprivate var isToolchains: Bool {
      guard file == nil, name.hasPrefix("$s"), let text = tm_demangle_whole(name) else {
        return false
      }
      defer { free(text) }
      return SwiftModule.owner(of: String(cString: text)).map(SwiftModule.toolchain.contains)
        ?? false
    }

    /// Whether the function comes from a header of the system or of a compiler, such as those of
    /// C++.
    fileprivate var isInSystemHeader: Bool {
      guard let file else { return false }
      return file.hasPrefix("/usr/include/") || file.contains("/include/c++/")
        || file.contains("/lib/gcc/") || file.contains("/lib/clang/")
    }

    /// Whether the function is in a file that nobody has written: SwiftPM's to run the tests of a
    /// package, or the compiler's with what a macro stands for.
    fileprivate var isGenerated: Bool {
      guard let file else { return false }
      return file.hasSuffix("PackageTests.derived/runner.swift") || file.contains("/@__swiftmacro_")
    }

    /// Whether the function is a sanitizer's, which is linked into the user's own image.
    fileprivate var isSanitizers: Bool {
      ["__interceptor_", "___interceptor_", "__tsan", "_ZN6__tsan", "_ZN11__sanitizer"]
        .contains(where: name.hasPrefix) || file?.contains("/compiler-rt/lib/") == true
    }
  }
#endif
