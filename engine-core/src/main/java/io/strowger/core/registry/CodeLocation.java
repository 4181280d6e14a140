package io.strowger.core.registry;

import java.security.CodeSource;

/**
 * Describes, for log and error messages, where a plugin, a tool or a provider factory comes from.
 */
public final class CodeLocation {
  private CodeLocation() {}

  /** Returns the class of an object, and the jar or directory it was loaded from where known. */
  public static String of(Object object) {
    Class<?> type = object.getClass();
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return type.getName()
        + (source == null || source.getLocation() == null ? "" : " in " + source.getLocation());
  }
}
