package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ProviderPreferences;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code provider}, the one closed object of a request. Contract: "Provider preferences".
 *
 * <p>Members whose effect does not exist yet are checked, and refused unless they ask for what
 * happens anyway: a caller who excludes providers that train on prompts must not be routed to one.
 */
final class PreferencesDecoder {
  private static final String NOT_YET = "is not supported by this version yet";
  private static final List<String> COLLECTION = List.of("deny", "allow");
  private static final List<String> SORTS = List.of("price", "throughput", "latency", "exacto");
  private static final List<String> PARTITIONS = List.of("model", "none");
  private static final List<String> QUANTIZATIONS =
      List.of(
          "int4", "int8", "fp4", "mxfp4", "nvfp4", "fp6", "fp8", "mxfp8", "fp16", "bf16", "fp32",
          "unknown");
  private static final List<String> PRICES =
      List.of("prompt", "completion", "image", "audio", "request");
  private static final int PRICE_CHARS = 64;
  private static final List<String> PERCENTILES = List.of("p50", "p75", "p90", "p99");

  private final Checks checks;
  private final ProviderPreferences.Builder preferences = ProviderPreferences.builder();

  PreferencesDecoder(Checks checks) {
    this.checks = checks;
  }

  ProviderPreferences decode(JsonPointer parent, String member, Json given) {
    Json.Obj provider = checks.object(parent, member, given);
    return provider == null ? preferences.build() : decode(parent.child(member), provider);
  }

  ProviderPreferences decode(JsonPointer at, Json.Obj provider) {
    for (int i = 0; i < provider.size(); i++) {
      member(at, provider.name(i), provider.value(i));
    }
    return preferences.build();
  }

  private void member(JsonPointer at, String name, Json value) {
    if (name.equals("max_price")) {
      maxPrice(at, value);
    } else if (!(value instanceof Json.Null)) {
      valued(at, name, value);
    } else if (!isKnown(name)) {
      unknown(at, name, value);
    }
  }

  private static boolean isKnown(String name) {
    return switch (name) {
      case "order",
          "only",
          "ignore",
          "allow_fallbacks",
          "require_parameters",
          "data_collection",
          "zdr",
          "enforce_distillable_text",
          "quantizations",
          "sort",
          "preferred_min_throughput",
          "preferred_max_latency" ->
          true;
      default -> false;
    };
  }

  private void valued(JsonPointer at, String name, Json value) {
    switch (name) {
      case "order" -> preferences.order(checks.names(at, name, value));
      case "only" -> preferences.only(checks.names(at, name, value));
      case "ignore" -> preferences.ignore(checks.names(at, name, value));
      case "allow_fallbacks" -> {
        checks.bool(at, name, value);
        preferences.allowFallbacks(!value.equals(Json.FALSE));
      }
      case "require_parameters", "zdr", "enforce_distillable_text" -> {
        if (checks.isTrue(at, name, value)) {
          notYet(at, name, value);
        }
      }
      case "data_collection" -> {
        if ("deny".equals(checks.word(at, name, value, COLLECTION))) {
          notYet(at, name, value);
        }
      }
      case "quantizations" -> quantizations(at, value);
      case "sort" -> sort(at, value);
      case "preferred_min_throughput", "preferred_max_latency" -> threshold(at, name, value);
      default -> unknown(at, name, value);
    }
  }

  private void unknown(JsonPointer at, String name, Json value) {
    checks.wrong(at, name, "is not a member of provider", value);
  }

  private void notYet(JsonPointer at, String name, Json value) {
    checks.wrong(at, name, NOT_YET, value);
  }

  private void quantizations(JsonPointer at, Json value) {
    Json.Arr levels = checks.array(at, "quantizations", value);
    if (levels == null || levels.isEmpty()) {
      return;
    }
    JsonPointer list = at.child("quantizations");
    boolean good = true;
    for (int i = 0; i < levels.size(); i++) {
      if (!(levels.get(i) instanceof Json.Str str && QUANTIZATIONS.contains(str.text()))) {
        good = false;
        checks
            .problems()
            .add(
                list.child(i), "must be one of " + String.join(", ", QUANTIZATIONS), levels.get(i));
      }
    }
    if (good) {
      notYet(at, "quantizations", value);
    }
  }

  private void sort(JsonPointer at, Json value) {
    if (!(value instanceof Json.Obj sort)) {
      if (!(value instanceof Json.Str)) {
        checks.wrong(at, "sort", "must be a string or an object", value);
      } else if (checks.word(at, "sort", value, SORTS) != null) {
        notYet(at, "sort", value);
      }
      return;
    }
    JsonPointer inner = at.child("sort");
    String by = wordOrNull(inner, "by", sort.get("by"), SORTS);
    String partition = wordOrNull(inner, "partition", sort.get("partition"), PARTITIONS);
    if (by != null || "none".equals(partition)) {
      notYet(at, "sort", value);
    }
  }

  private @Nullable String wordOrNull(
      JsonPointer at, String name, @Nullable Json given, List<String> allowed) {
    return given == null || given instanceof Json.Null
        ? null
        : checks.word(at, name, given, allowed);
  }

  private void threshold(JsonPointer at, String name, Json value) {
    if (value instanceof Json.Num) {
      number(at, name, value);
      notYet(at, name, value);
      return;
    }
    if (!(value instanceof Json.Obj cutoffs)) {
      checks.wrong(at, name, "must be a number or an object of p50, p75, p90, p99", value);
      return;
    }
    boolean effective = false;
    JsonPointer inner = at.child(name);
    for (String percentile : PERCENTILES) {
      Json cutoff = cutoffs.get(percentile);
      if (cutoff != null && !(cutoff instanceof Json.Null)) {
        number(inner, percentile, cutoff);
        effective = true;
      }
    }
    if (effective) {
      notYet(at, name, value);
    }
  }

  private void number(JsonPointer at, String name, Json value) {
    BigDecimal number = Checks.decimal(value);
    if (number == null || number.signum() < 0) {
      checks.wrong(at, name, "must be a number of at least 0", value);
    }
  }

  private void maxPrice(JsonPointer at, Json value) {
    Json.Obj caps = checks.object(at, "max_price", value);
    if (caps == null) {
      return;
    }
    boolean effective = false;
    JsonPointer inner = at.child("max_price");
    for (String price : PRICES) {
      Json cap = caps.get(price);
      if (cap != null) {
        effective = true;
        if (!isPrice(cap)) {
          checks.wrong(inner, price, "must be an amount of at least 0, such as \"0.5\"", cap);
        }
      }
    }
    if (effective) {
      notYet(at, "max_price", value);
    }
  }

  /** Bounded first: the time to read a number grows with the square of its digits. */
  private static @Nullable BigDecimal amount(Json.Str written) {
    return written.utf8Bound() <= PRICE_CHARS ? new BigDecimal(written.text()) : null;
  }

  private static boolean isPrice(Json cap) {
    try {
      BigDecimal amount = cap instanceof Json.Str str ? amount(str) : Checks.decimal(cap);
      return amount != null && amount.signum() >= 0;
    } catch (NumberFormatException notANumber) {
      return false;
    }
  }
}
