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
 * that differ from the default; {@code throughput_samples} is written when it differs from {@code
 * samples}. Latency is in microseconds, throughput in millionths of a token per second.
 */
final class EndpointStatisticsJson {
  private EndpointStatisticsJson() {}

  static Json.Obj write(EndpointStatistics statistics) {
    var json = Json.object();
    if (statistics.latencyMicros(Percentile.P50) >= 0) {
      json.put("latency", list(Percentile.values(), statistics::latencyMicros));
    }
    if (statistics.throughputMicroTokens(Percentile.P50) >= 0) {
      json.put("throughput", list(Percentile.values(), statistics::throughputMicroTokens));
    }
    putNumber(json, "samples", statistics.samples(), 0);
    putNumber(json, "throughput_samples", statistics.throughputSamples(), statistics.samples());
    putCounts(json, "requests", statistics::requests);
    putCounts(json, "failures", statistics::failures);
    putNumber(json, "tool_requests", statistics.toolRequests(), 0);
    putNumber(json, "tool_errors", statistics.toolErrors(), 0);
    putWord(json, "uptime", statistics.uptime(), Uptime.NORMAL);
    putFlag(json, "outage", statistics.hasOutage());
    putFlag(json, "broken", statistics.isBreakerOpen());
    putFlag(json, "probing", statistics.isProbing());
    putNumber(json, "not_before", statistics.blockedUntilMillis(), 0);
    putNumber(json, "recovered", statistics.recoveredAtMillis(), 0);
    putWord(json, "exacto", statistics.exacto(), Exacto.INSUFFICIENT_DATA);
    return json.build();
  }

  private static <E> Json.Arr list(E[] keys, ToLongFunction<E> value) {
    var items = new Json[keys.length];
    for (int i = 0; i < items.length; i++) {
      items[i] = Json.of(value.applyAsLong(keys[i]));
    }
    return Json.array(items);
  }

  private static void putCounts(
      Json.Obj.Builder out, String name, ToLongFunction<CountingPeriod> count) {
    if (Arrays.stream(CountingPeriod.values()).mapToLong(count).anyMatch(value -> value != 0)) {
      out.put(name, list(CountingPeriod.values(), count));
    }
  }

  private static void putNumber(Json.Obj.Builder out, String name, long value, long defaultValue) {
    if (value != defaultValue) {
      out.put(name, value);
    }
  }

  private static void putFlag(Json.Obj.Builder out, String name, boolean value) {
    if (value) {
      out.put(name, true);
    }
  }

  private static void putWord(
      Json.Obj.Builder out, String name, Enum<?> value, Enum<?> defaultValue) {
    if (value != defaultValue) {
      out.put(name, value.name().toLowerCase(Locale.ROOT));
    }
  }

  static EndpointStatistics read(Json.Obj json) {
    var builder = EndpointStatistics.builder();
    for (int i = 0; i < json.size(); i++) {
      readMember(builder, json.name(i), json.value(i));
    }
    return builder.build();
  }

  private static void readMember(EndpointStatistics.Builder builder, String name, Json value) {
    switch (name) {
      case "latency" -> builder.latencyMicros(readLongs(name, value));
      case "throughput" -> builder.throughputMicroTokens(readLongs(name, value));
      case "samples" -> builder.samples(Math.toIntExact(readLong(name, value)));
      case "throughput_samples" ->
          builder.throughputSamples(Math.toIntExact(readLong(name, value)));
      case "requests" -> builder.requests(readLongs(name, value));
      case "failures" -> builder.failures(readLongs(name, value));
      case "tool_requests" -> builder.toolRequests(readLong(name, value));
      case "tool_errors" -> builder.toolErrors(readLong(name, value));
      case "uptime" -> builder.uptime(readWord(name, value, Uptime::valueOf));
      case "outage" -> builder.outage(readFlag(name, value));
      case "broken" -> builder.breakerOpen(readFlag(name, value));
      case "probing" -> builder.probing(readFlag(name, value));
      case "not_before" -> builder.blockedUntilMillis(readLong(name, value));
      case "recovered" -> builder.recoveredAtMillis(readLong(name, value));
      case "exacto" -> builder.exacto(readWord(name, value, Exacto::valueOf));
      default -> {
        // ignored: a later version may write more members
      }
    }
  }

  static long readLong(String name, @Nullable Json value) {
    if (value instanceof Json.Num number && number.asLong().isPresent()) {
      return number.asLong().getAsLong();
    }
    throw new IllegalArgumentException(name + " must be a whole number, was " + value);
  }

  private static boolean readFlag(String name, Json value) {
    if (value instanceof Json.Bool flag) {
      return flag.value();
    }
    throw new IllegalArgumentException(name + " must be true or false, was " + value);
  }

  private static <E> E readWord(String name, Json value, Function<String, E> byName) {
    if (value instanceof Json.Str word) {
      return byName.apply(word.text().toUpperCase(Locale.ROOT));
    }
    throw new IllegalArgumentException(name + " must be a word, was " + value);
  }

  private static long[] readLongs(String name, Json value) {
    if (!(value instanceof Json.Arr list)) {
      throw new IllegalArgumentException(name + " must be a list, was " + value);
    }
    return list.stream().mapToLong(item -> readLong(name, item)).toArray();
  }
}
