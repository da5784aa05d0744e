import ThreadmillModel

/// Why a program cannot be watched by preloading: one line, with what to do.
package enum Unwatchable: Error, Hashable, Sendable {
  /// No file of this name; `onPath` if it was looked for on `PATH`.
  case missing(String, onPath: Bool)
  case folder(String)
  case notExecutable(String)
  /// The loader takes no library along into a program that gets other rights than its caller's.
  case privileged(String, how: String)
  case fullyStatic(String)
  case otherMachine(String)
  case otherLoader(String, loader: String)
  /// Thread Sanitizer's own functions stand in front of every preloaded one.
  case sanitized(String)
  case foreign(String)
  /// Scripts that are run by scripts, without end.
  case endless(String)
  /// A script is run by a program that is none or cannot be watched.
  indirect case script(String, Unwatchable)
}

extension Unwatchable: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let name, true): "no program on PATH is called \(name.printable)"
    case .missing(let path, false): "\(path.printable) is not there"
    case .folder(let path): "\(path.printable) is a folder, not a program"
    case .notExecutable(let path):
      "\(path.printable) may not be executed; if it is a program: chmod +x \(path.printable)"
    case .privileged(let path, let how):
      "\(path.printable) \(how), so the loader takes no library along; watch a plain copy of it"
    case .fullyStatic(let path):
      "\(path.printable) is fully static and cannot be watched; build it without -static or"
        + " -static-executable, or link Threadmill into it"
    case .otherMachine(let path): "\(path.printable) is made for another kind of machine"
    case .otherLoader(let path, let loader):
      "\(path.printable) is put together by \(loader.printable); only programs for glibc's loader"
        + " can be watched"
    case .sanitized(let path):
      "\(path.printable) has Thread Sanitizer and no Threadmill; watch a build without the"
        + " sanitizer, or add the switches that `threadmill link` prints where it is linked"
    case .foreign(let path):
      "\(path.printable) is neither a program for Linux with 64 bits nor a script that names its"
        + " interpreter in a first line #!"
    case .endless(let path): "\(path.printable) is run by scripts that run each other"
    case .script(let path, let reason): "\(path.printable) is a script: \(reason)"
    }
  }
}
