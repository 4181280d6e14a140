package io.strowger.core.decisionlog;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states of the most recent catalogs of a log. Not thread-safe. */
final class CatalogParts {
  /** How many catalogs are kept; requests in progress rarely use more earlier ones. */
  static final int MOST = 8;

  /** The length of a catalog's hash, in bytes. */
  static final int HASH = 8;

  private final Map<String, CatalogLogState> byHash = new LinkedHashMap<>();

  /** Adds a catalog; a part for the same catalog is replaced. */
  void add(CatalogLogState part) {
    String name = name(part.hash());
    byHash.remove(name);
    byHash.put(name, part);
    if (byHash.size() > MOST) {
      byHash.remove(byHash.keySet().iterator().next());
    }
  }

  Iterable<CatalogLogState> all() {
    return byHash.values();
  }

  /** Returns the part of the catalog whose hash the content begins with; null when unknown. */
  @Nullable CatalogLogState of(byte[] content) {
    return content.length < HASH ? null : byHash.get(name(Arrays.copyOf(content, HASH)));
  }

  static String name(byte[] hash) {
    return HexFormat.of().formatHex(hash);
  }
}
