package io.strowger.core.decisionlog;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states of the most recent catalogs of a log. Not thread-safe. */
final class CatalogLogStates {
  /** How many catalogs are kept; requests in progress rarely use an older one. */
  static final int MAX_CATALOGS = 8;

  /** The length of a catalog's hash, in bytes. */
  static final int HASH_BYTES = 8;

  private final Map<String, CatalogLogState> byHash = new LinkedHashMap<>();

  /** Adds the state of a catalog; an earlier state of the same catalog is replaced. */
  void add(CatalogLogState state) {
    String hex = hex(state.hash());
    byHash.remove(hex);
    byHash.put(hex, state);
    if (byHash.size() > MAX_CATALOGS) {
      byHash.remove(byHash.keySet().iterator().next());
    }
  }

  Iterable<CatalogLogState> all() {
    return byHash.values();
  }

  /** Returns the state of the catalog with whose hash the content begins; null when unknown. */
  @Nullable CatalogLogState find(byte[] content) {
    return content.length < HASH_BYTES ? null : byHash.get(hex(Arrays.copyOf(content, HASH_BYTES)));
  }

  static String hex(byte[] hash) {
    return HexFormat.of().formatHex(hash);
  }
}
