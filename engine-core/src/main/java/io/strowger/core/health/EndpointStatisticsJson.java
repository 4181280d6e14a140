package io.strowger.core.health;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** The JSON form of {@link EndpointStatistics}: what is as it always is goes without saying. */
final class EndpointStatisticsJson {
  private EndpointStatisticsJson() {}

  static Json.Obj write(EndpointStatistics of) {
    Json.Obj.Builder json = Json.object();
    if (of.latencyMicros(EndpointStatistics.Percentile.P50) != -1) {
      json.put("latency", percentiles(of, true));
    }
    if (of.throughputMicros(EndpointStatistics.Percentile.P50) != -1) {
      json.put("throughput", percentiles(of, false));
    }
    number(json, "samples", of.samples());
    if (of.uptime() != EndpointStatistics.Uptime.NORMAL) {
      json.put("uptime", of.uptime().name());
    }
    flag(json, "outage", of.outage());
    flag(json, "broken", of.broken());
    number(json, "not_before", of.notBefore());
    number(json, "recovered", of.recovered());
    if (of.exacto() != EndpointStatistics.NONE.exacto()) {
      json.put("exacto", of.exacto().name());
    }
    return json.build();
  }

  private static Json percentiles(EndpointStatistics of, boolean latency) {
    var values = new ArrayList<Json>();
    for (var percentile : EndpointStatistics.Percentile.values()) {
      values.add(Json.of(latency ? of.latencyMicros(percentile) : of.throughputMicros(percentile)));
    }
    return Json.array(values);
  }

  private static void number(Json.Obj.Builder json, String name, long value) {
    if (value != 0) {
      json.put(name, value);
    }
  }

  private static void flag(Json.Obj.Builder json, String name, boolean value) {
    if (value) {
      json.put(name, true);
    }
  }

  static EndpointStatistics read(Json.Obj json) {
    var read = EndpointStatistics.builder();
    long[] latency = percentiles(json, "latency");
    if (latency != null) {
      read.latencyMicros(latency);
    }
    long[] throughput = percentiles(json, "throughput");
    if (throughput != null) {
      read.throughputMicros(throughput);
    }
    read.samples(Math.toIntExact(number(json, "samples")))
        .outage(Json.TRUE.equals(json.get("outage")))
        .broken(Json.TRUE.equals(json.get("broken")))
        .notBefore(number(json, "not_before"))
        .recovered(number(json, "recovered"));
    String uptime = json.text("uptime");
    if (uptime != null) {
      read.uptime(EndpointStatistics.Uptime.valueOf(uptime));
    }
    String exacto = json.text("exacto");
    if (exacto != null) {
      read.exacto(EndpointStatistics.Exacto.valueOf(exacto));
    }
    return read.build();
  }

  private static long @Nullable [] percentiles(Json.Obj json, String name) {
    Json.Arr values = json.list(name);
    if (values == null) {
      return null;
    }
    long[] read = new long[values.size()];
    for (int i = 0; i < read.length; i++) {
      read[i] = number(values.get(i), name);
    }
    return read;
  }

  private static long number(Json.Obj json, String name) {
    Json value = json.get(name);
    return value == null ? 0 : number(value, name);
  }

  private static long number(Json value, String name) {
    if (value instanceof Json.Num number) {
      return number.asLong().orElseThrow(() -> wrong(name));
    }
    throw wrong(name);
  }

  private static IllegalArgumentException wrong(String name) {
    return new IllegalArgumentException("not statistics of an endpoint: " + name);
  }
}
