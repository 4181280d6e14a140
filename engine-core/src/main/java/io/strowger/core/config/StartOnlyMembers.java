package io.strowger.core.config;

import io.strowger.core.digest.Sha256;
import io.strowger.spi.json.Json;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The members of the configuration file that take effect only at the start of a process, each with
 * a digest of its value. The digest shows whether a member was changed and reveals no secret.
 */
final class StartOnlyMembers {
  private static final List<String> SECTIONS =
      List.of(
          "server",
          "limits",
          "stream",
          "store",
          "cache",
          "network",
          "batches",
          "telemetry",
          "observability_queue");
  private static final String CREDITS = "credits";

  /** Certificates are reloaded; only turning TLS on or off needs a restart. */
  private static final String TLS = "server.tls";

  private final Map<String, String> digests = new TreeMap<>();

  /**
   * @param document the file with its variables expanded
   */
  StartOnlyMembers(Json.Obj document) {
    for (String section : SECTIONS) {
      if (document.get(section) instanceof Json.Obj members) {
        for (int i = 0; i < members.size(); i++) {
          add(section + "." + members.name(i), members.value(i));
        }
      }
    }
    Json credits = document.get(CREDITS);
    if (credits != null) {
      add(CREDITS, credits);
    }
  }

  /** Adds the digest of a member; an explicit null is treated as absent. */
  private void add(String name, Json value) {
    if (name.equals(TLS) && value instanceof Json.Obj) {
      digests.put(name, "");
    } else if (!(value instanceof Json.Null)) {
      digests.put(name, HexFormat.of().formatHex(Sha256.of(value.toBytes())));
    }
  }

  /** Returns the names of the members that differ from those of another file, in order. */
  List<String> differencesFrom(StartOnlyMembers other) {
    var names = new TreeSet<>(digests.keySet());
    names.addAll(other.digests.keySet());
    names.removeIf(
        name -> {
          String digest = digests.get(name);
          return digest != null && digest.equals(other.digests.get(name));
        });
    return List.copyOf(names);
  }
}
