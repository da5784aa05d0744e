/// Everything that the doctor knows about the machine, as values.
///
/// ``gather(quick:executable:environment:)`` finds it out; nothing else looks at the machine.
package struct MachineFacts: Hashable, Sendable {
  package var system: System
  /// `nil` if there is no `swift` on the path that answers.
  package var toolchain: Toolchain?
  package var randomization: Randomization
  /// The result of running a small race under Thread Sanitizer.
  package var trial: SanitizerTrial
  /// The result of the run that compared the layouts.
  package var layouts: LayoutTrial
  /// The libraries that the tool puts into programs and tests.
  package var libraries: [Library]
  package var unwinder: Unwinder
  package var symbolizer: Symbolizer
  package var processors: Processors
  /// `THREADMILL_OPTIONS`; `nil` if it is not set.
  package var threadmillOptions: String?
  /// `TSAN_OPTIONS`; `nil` if it is not set.
  package var sanitizerOptions: String?
  /// `nil` if none was asked about.
  package var executable: Executable?

  package struct System: Hashable, Sendable {
    package enum Library: Hashable, Sendable {
      case glibc(version: String)
      case musl
      case other
    }

    /// As `uname` says it: `Linux`.
    package var name: String
    package var library: Library
    /// As `uname` says it: `x86_64`, `aarch64`.
    package var architecture: String
  }

  package struct Toolchain: Hashable, Sendable {
    /// `6.3.1`
    package var version: String
    /// The folder that has `bin` and `lib`.
    package var root: String
    /// Where Thread Sanitizer's runtime for this architecture lies; `nil` if there is none.
    package var sanitizerRuntime: String?
    /// What `swift build` uses unless told otherwise; `nil` if it does not say.
    package var buildSystem: String?
  }

  /// How far the kernel scatters addresses, and whether a process may ask it not to.
  package struct Randomization: Hashable, Sendable {
    /// `vm.mmap_rnd_bits`; `nil` if it cannot be read.
    package var bits: Int?
    /// Whether `setarch -R` works; `nil` if there is no `setarch`.
    package var canBeSwitchedOff: Bool?
  }

  /// A library that the tool needs for a command.
  package struct Library: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
      case there
      /// It is not there, and the first command that needs it builds it.
      case buildable
      /// It is not there, nor what it could be built from.
      case missing
    }

    package var product: ToolFile.Product
    package var place: Place
  }

  package struct Unwinder: Hashable, Sendable {
    /// `libunwind.so.8` can be loaded.
    package var isLoadable: Bool
    /// `libunwind.h` is there to build with.
    package var hasHeader: Bool
  }

  /// Where `llvm-symbolizer` lies; `nil` where it does not.
  package struct Symbolizer: Hashable, Sendable {
    package var onPath: String?
    package var inToolchain: String?
  }

  package struct Processors: Hashable, Sendable {
    /// Those that run, by which libdispatch and Swift measure their pools.
    package var online: Int
    /// Those of them that this process may use.
    package var usable: Int
    /// Processors' worth of time that its control group may use; `nil` for all of it.
    package var quota: Double?
  }
}

/// The result of building and running a small racy program under Thread Sanitizer.
package enum SanitizerTrial: Hashable, Sendable {
  case skipped
  /// There is no toolchain, or none with a C compiler.
  case noCompiler
  /// The last thing that the compiler, or the attempt to start it, said.
  case notBuilt(String)
  /// The race was reported; `isNamed` if with file and line.
  case reported(isNamed: Bool)
  /// It ran to its end, and nothing was reported.
  case silent
  /// The sanitizer did not let it start, and said why; `withoutRandomization` if the same program
  /// did well under `setarch -R`.
  case refused(String, withoutRandomization: Bool)
  case timedOut
}

/// The contents of an executable file, as far as the doctor needs them.
package struct Executable: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case missing
    /// Something else than a program for Linux, with 64 bits.
    case foreign
    case program(Parts)
  }

  package struct Parts: Hashable, Sendable {
    /// It needs no loader, so that nothing can be taken over.
    package var isStatic = false
    package var hasGate = false
    package var hasThreadSanitizer = false
    /// Memory accesses go through Threadmill. `nil` without Threadmill or Thread Sanitizer, and if
    /// that cannot be told.
    package var wrapsAccesses: Bool?
    package var hasSymbols = false
    /// Debug lines, in the file itself.
    package var hasLines = false
    /// A file that has the debug information apart, if there is one.
    package var debugFile: String?
  }

  /// As it was typed.
  package var path: String
  package var content: Content
}
