import Foundation

/// Where this package lies.
package enum Checkout {
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Whether this process was built with Thread Sanitizer.
package let isThreadSanitized = dlsym(nil, "__tsan_init") != nil
