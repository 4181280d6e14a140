package io.strowger.spi.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A model as a request names it: {@code author/slug:variant:variant}.
 *
 * @param slug the part before the first colon
 * @param variants the parts after it, in order, without colons
 */
public record ModelRef(String slug, List<String> variants) {
  public ModelRef {
    Objects.requireNonNull(slug, "slug");
    variants = List.copyOf(variants);
  }

  /** Returns the reference for a name, split at its colons. */
  public static ModelRef parse(String name) {
    int colon = name.indexOf(':');
    if (colon < 0) {
      return new ModelRef(name, List.of());
    }
    var variants = new ArrayList<String>();
    int from = colon + 1;
    while (from <= name.length()) {
      int next = name.indexOf(':', from);
      int end = next < 0 ? name.length() : next;
      variants.add(name.substring(from, end));
      from = end + 1;
    }
    return new ModelRef(name.substring(0, colon), variants);
  }

  /** Returns whether this reference has a variant, such as {@code online}; case does not matter. */
  public boolean hasVariant(String name) {
    for (String variant : variants) {
      if (variant.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the name as it was written. */
  @Override
  public String toString() {
    return variants.isEmpty() ? slug : slug + ":" + String.join(":", variants);
  }
}
