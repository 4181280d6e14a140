package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes one endpoint's statistics as JSON for the decision log, with only the values
 * that differ from the default.
 */
final class EndpointStatisticsJson {
  private EndpointStatisticsJson() {}

  static Json.Obj write(EndpointStatistics from) {
    var out = Json.object();
    if (from.latencyMicros(Percentile.P50) >= 0) {
      out.put("latency", list(Percentile.values(), from::latencyMicros));
    }
    if (from.throughputMicros(Percentile.P50) >= 0) {
      out.put("throughput", list(Percentile.values(), from::throughputMicros));
    }
    number(out, "samples", from.samples(), 0);
    number(out, "throughput_samples", from.throughputSamples(), from.samples());
    counts(out, "requests", from::requests);
    counts(out, "failures", from::failures);
    number(out, "tool_requests", from.toolRequests(), 0);
    number(out, "tool_errors", from.toolErrors(), 0);
    word(out, "uptime", from.uptime(), Uptime.NORMAL);
    flag(out, "outage", from.outage());
    flag(out, "broken", from.isBreakerOpen());
    flag(out, "probing", from.probing());
    number(out, "not_before", from.closedUntilMillis(), 0);
    number(out, "recovered", from.recoveredAtMillis(), 0);
    word(out, "exacto", from.exacto(), Exacto.INSUFFICIENT_DATA);
    return out.build();
  }

  private static <E> Json.Arr list(E[] places, ToLongFunction<E> value) {
    var items = new Json[places.length];
    for (int i = 0; i < items.length; i++) {
      items[i] = Json.of(value.applyAsLong(places[i]));
    }
    return Json.array(items);
  }

  private static void counts(
      Json.Obj.Builder out, String name, ToLongFunction<CountingPeriod> count) {
    if (Arrays.stream(CountingPeriod.values()).mapToLong(count).anyMatch(value -> value != 0)) {
      out.put(name, list(CountingPeriod.values(), count));
    }
  }

  private static void number(Json.Obj.Builder out, String name, long value, long usual) {
    if (value != usual) {
      out.put(name, value);
    }
  }

  private static void flag(Json.Obj.Builder out, String name, boolean value) {
    if (value) {
      out.put(name, true);
    }
  }

  private static void word(Json.Obj.Builder out, String name, Enum<?> value, Enum<?> usual) {
    if (value != usual) {
      out.put(name, value.name().toLowerCase(Locale.ROOT));
    }
  }

  static EndpointStatistics read(Json.Obj from) {
    var into = EndpointStatistics.builder();
    for (int i = 0; i < from.size(); i++) {
      member(into, from.name(i), from.value(i));
    }
    return into.build();
  }

  private static void member(EndpointStatistics.Builder into, String name, Json value) {
    switch (name) {
      case "latency" -> into.latencyMicros(longs(name, value));
      case "throughput" -> into.throughputMicros(longs(name, value));
      case "samples" -> into.samples(Math.toIntExact(whole(name, value)));
      case "throughput_samples" -> into.throughputSamples(Math.toIntExact(whole(name, value)));
      case "requests" -> into.requests(longs(name, value));
      case "failures" -> into.failures(longs(name, value));
      case "tool_requests" -> into.toolRequests(whole(name, value));
      case "tool_errors" -> into.toolErrors(whole(name, value));
      case "uptime" -> into.uptime(word(name, value, Uptime::valueOf));
      case "outage" -> into.outage(flag(name, value));
      case "broken" -> into.broken(flag(name, value));
      case "probing" -> into.probing(flag(name, value));
      case "not_before" -> into.notBefore(whole(name, value));
      case "recovered" -> into.recovered(whole(name, value));
      case "exacto" -> into.exacto(word(name, value, Exacto::valueOf));
      default -> {
        // ignored: a later version may write more members
      }
    }
  }

  static long whole(String name, @Nullable Json value) {
    if (value instanceof Json.Num number && number.asLong().isPresent()) {
      return number.asLong().getAsLong();
    }
    throw new IllegalArgumentException(name + " must be a whole number, was " + value);
  }

  private static boolean flag(String name, Json value) {
    if (value instanceof Json.Bool flag) {
      return flag.value();
    }
    throw new IllegalArgumentException(name + " must be true or false, was " + value);
  }

  private static <E> E word(String name, Json value, Function<String, E> byName) {
    if (value instanceof Json.Str word) {
      return byName.apply(word.text().toUpperCase(Locale.ROOT));
    }
    throw new IllegalArgumentException(name + " must be a word, was " + value);
  }

  private static long[] longs(String name, Json value) {
    if (!(value instanceof Json.Arr list)) {
      throw new IllegalArgumentException(name + " must be a list, was " + value);
    }
    return list.stream().mapToLong(item -> whole(name, item)).toArray();
  }
}
