import Foundation

/// Where this package lies.
enum Checkout {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

/// Whether this process was built with Thread Sanitizer.
let isThreadSanitized = dlsym(nil, "__tsan_init") != nil
