/// Layouts that a watched program is to take for others than they are.
package enum MovedLayouts {
  /// Names layouts (`tm_layout_name`), with commas between, that the gate reads one word beside
  /// their place: for tests, which see that the gate notices.
  package static let variable = "THREADMILL_MOVED_LAYOUTS"
}
