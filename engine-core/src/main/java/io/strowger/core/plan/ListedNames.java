package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ProviderInfo;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the names that callers list, ignoring case: a name without a slash is a provider's slug
 * or display name, a name with a slash is the tag of an endpoint (routing fact sheet, section 1). A
 * name in lower case is found by one probe of a table, since a request may list fifty.
 */
final class ListedNames {
  /** The code of a name that matches nothing. */
  static final int UNKNOWN = Integer.MAX_VALUE;

  private static final int MIN_NAMES = 16;

  private final Catalog catalog;
  private final @Nullable String[] names; // a power of two, at least half of them null
  private final int[] codes; // of the name at the same place

  ListedNames(Catalog catalog) {
    this.catalog = catalog;
    int maxNames = 2 * catalog.providers().size() + catalog.endpoints().size();
    int size = Integer.highestOneBit(Math.max(MIN_NAMES, maxNames)) * 4;
    this.names = new String[size];
    this.codes = new int[size];
    for (ProviderInfo provider : catalog.providers()) {
      add(lower(provider.slug()));
      add(lower(provider.name()));
    }
    for (Endpoint endpoint : catalog.endpoints()) {
      add(lower(endpoint.tag()));
    }
  }

  private void add(String name) {
    int code = lookUp(name);
    int index = indexOf(name);
    if (code != UNKNOWN) {
      names[index] = name;
      codes[index] = code;
    }
  }

  /**
   * Returns the ordinal of a provider, the complement of the ordinal of a tag, or {@link #UNKNOWN}.
   */
  int codeOf(String name) {
    int index = indexOf(name);
    return names[index] == null ? lookUp(name) : codes[index];
  }

  /** Returns the index of the name, or of the free place where it belongs. */
  private int indexOf(String name) {
    int hash = name.hashCode();
    int index = (hash ^ (hash >>> 16)) & (names.length - 1);
    String occupant = names[index];
    while (occupant != null && !occupant.equals(name)) {
      index = (index + 1) & (names.length - 1);
      occupant = names[index];
    }
    return index;
  }

  private int lookUp(String name) {
    boolean isTag = isTag(name);
    int ordinal = isTag ? catalog.tagOrdinal(name) : catalog.providerOrdinal(name);
    if (ordinal < 0) {
      return UNKNOWN;
    }
    return isTag ? ~ordinal : ordinal;
  }

  /** Returns whether a listed name is the tag of an endpoint, not the name of a provider. */
  static boolean isTag(String name) {
    return name.indexOf('/') >= 0;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
