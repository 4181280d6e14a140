package io.strowger.core.config;

import io.strowger.core.digest.Sha256;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.util.HexFormat;
import java.util.stream.IntStream;

/**
 * Computes the version of a catalog from {@code providers} and {@code models}. The order of
 * members, white space and explicit nulls make no difference. Credentials and headers are left out,
 * because a new key does not make a new catalog, and because versions are written to logs.
 */
final class CatalogVersion {
  private static final int HEX_DIGITS = 16;

  private CatalogVersion() {}

  /** Returns sixteen hex digits of the SHA-256 of the content. */
  static String of(Json providers, Json models) {
    var out = new JsonOutput(64 * 1024);
    write(providers, out);
    out.raw('\n');
    write(models, out);
    return HexFormat.of().formatHex(Sha256.of(out.toByteArray())).substring(0, HEX_DIGITS);
  }

  private static void write(Json json, JsonOutput out) {
    switch (json) {
      case Json.Obj obj -> writeObject(obj, out);
      case Json.Arr arr -> {
        out.raw('[');
        for (Json item : arr) {
          write(item, out);
          out.raw(',');
        }
        out.raw(']');
      }
      case Json.Str str -> out.string(str.text()); // decoded: an escape makes no difference
      case Json.Num num -> num.writeTo(out);
      case Json.Bool bool -> bool.writeTo(out);
      case Json.Null none -> none.writeTo(out);
    }
  }

  private static void writeObject(Json.Obj obj, JsonOutput out) {
    out.raw('{');
    IntStream.range(0, obj.size())
        .filter(i -> isIncluded(obj.name(i), obj.value(i)))
        .boxed()
        .sorted((a, b) -> obj.name(a).compareTo(obj.name(b)))
        .forEach(
            i -> {
              out.string(obj.name(i));
              out.raw(':');
              write(obj.value(i), out);
              out.raw(',');
            });
    out.raw('}');
  }

  private static boolean isIncluded(String name, Json value) {
    return !name.equals("api_key") && !name.equals("headers") && !(value instanceof Json.Null);
  }
}
