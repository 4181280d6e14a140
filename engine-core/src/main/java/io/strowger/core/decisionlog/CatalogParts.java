package io.strowger.core.decisionlog;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The catalogs a log is about, the latest few of them. Not for several threads. */
final class CatalogParts {
  /** Requests under way may be about the catalogs before the current one; hardly so many. */
  static final int MOST = 8;

  /** Bytes of a content hash. */
  static final int HASH = 8;

  private final Map<String, CatalogPart> byHash = new LinkedHashMap<>();

  /** Begins anew what is about this catalog. */
  void add(CatalogPart part) {
    String name = name(part.hash());
    byHash.remove(name);
    byHash.put(name, part);
    if (byHash.size() > MOST) {
      byHash.remove(byHash.keySet().iterator().next());
    }
  }

  Iterable<CatalogPart> all() {
    return byHash.values();
  }

  /** The part a record is about, by the hash it begins with. */
  @Nullable CatalogPart of(byte[] content) {
    return content.length < HASH ? null : byHash.get(name(Arrays.copyOf(content, HASH)));
  }

  static String name(byte[] hash) {
    return HexFormat.of().formatHex(hash);
  }
}
