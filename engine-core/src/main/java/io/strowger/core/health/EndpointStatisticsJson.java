package io.strowger.core.health;

import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.core.health.EndpointStatistics.Exacto;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.EndpointStatistics.Uptime;
import io.strowger.core.routing.RecordedJson;
import io.strowger.spi.json.Json;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

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

  static EndpointStatistics read(RecordedJson json) {
    var builder =
        EndpointStatistics.builder()
            .samples(json.intNumber("samples", 0))
            .throughputSamples(json.intNumber("throughput_samples", -1))
            .toolRequests(json.number("tool_requests", 0))
            .toolErrors(json.number("tool_errors", 0))
            .uptime(readWord(json, "uptime", Uptime.NORMAL))
            .outage(json.flag("outage", false))
            .breakerOpen(json.flag("broken", false))
            .probing(json.flag("probing", false))
            .blockedUntilMillis(json.number("not_before", 0))
            .recoveredAtMillis(json.number("recovered", 0))
            .exacto(readWord(json, "exacto", Exacto.INSUFFICIENT_DATA));
    readNumbers(json, "latency", builder::latencyMicros);
    readNumbers(json, "throughput", builder::throughputMicroTokens);
    readNumbers(json, "requests", builder::requests);
    readNumbers(json, "failures", builder::failures);
    return builder.build();
  }

  private static <E extends Enum<E>> E readWord(RecordedJson json, String name, E defaultValue) {
    return json.isAbsent(name)
        ? defaultValue
        : json.constant(name, defaultValue.getDeclaringClass());
  }

  private static void readNumbers(RecordedJson json, String name, Consumer<long[]> setter) {
    if (!json.isAbsent(name)) {
      setter.accept(json.numbers(name));
    }
  }
}
