#if os(Linux)
  import Glibc

  /// A file whose bytes are in memory as far as somebody looks at them; never unmapped.
  struct MappedFile {
    let bytes: UnsafeRawBufferPointer

    /// `nil` if it cannot be read, or is empty.
    init?(path: String) {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var facts = stat()
      guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else {
        return nil
      }
      let start = mmap(nil, Int(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0)
      guard let start, start != MAP_FAILED else { return nil }
      bytes = UnsafeRawBufferPointer(start: start, count: Int(facts.st_size))
    }
  }
#endif
