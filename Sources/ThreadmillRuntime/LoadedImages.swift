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
    /// now.
    private static let program = "/proc/self/exe"

    /// Returns the real name of an image's file: libraries are loaded through symbolic links.
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
          || found.isThreadmills || found.isSanitizers)
    }

    static func demangled(_ name: String) -> String {
      guard let text = tm_demangle(name) else { return name }
      defer { free(text) }
      return String(cString: text)
    }
  }

  extension SymbolImage.Frame {
    /// Whether the function is Threadmill's, called by a user and linked into the user's own image.
    /// The mangled names of all functions of these modules begin with one of the prefixes.
    fileprivate var isThreadmills: Bool {
      ["$s10Threadmill", "$s17ThreadmillRuntime", "$s21ThreadmillAnnotations"].contains(
        where: name.hasPrefix)
    }

    /// Whether the function is Thread Sanitizer's, which is linked into the user's own image.
    fileprivate var isSanitizers: Bool {
      ["__interceptor_", "___interceptor_", "__tsan", "_ZN6__tsan", "_ZN11__sanitizer"]
        .contains(where: name.hasPrefix)
    }
  }
#endif
