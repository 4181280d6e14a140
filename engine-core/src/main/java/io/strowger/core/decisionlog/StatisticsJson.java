package io.strowger.core.decisionlog;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import java.util.HashMap;
import java.util.TreeMap;

/** The JSON form of the difference between two publications of {@link Statistics}. */
final class StatisticsJson {
  private StatisticsJson() {}

  /**
   * Returns the statistics that differ from earlier ones.
   *
   * @param before earlier statistics of the same catalog; {@link Statistics#NONE} to write
   *     everything
   */
  static Json.Obj write(Statistics now, Statistics before, Catalog catalog) {
    Json.Obj.Builder changed = Json.object();
    for (Endpoint endpoint : catalog.endpoints()) {
      EndpointStatistics its = now.of(endpoint);
      if (!its.equals(before.of(endpoint))) {
        changed.put(endpoint.id(), its.toJson());
      }
    }
    Json.Obj.Builder keys = Json.object();
    new TreeMap<>(now.keysNotBefore()).forEach(keys::put);
    return Json.object()
        .put("sequence", now.sequence())
        .put("before", before.sequence())
        .put("changed", changed.build())
        .put("keys", keys.build())
        .build();
  }

  /**
   * Reads the statistics that {@link #write} wrote.
   *
   * @param before the statistics whose number {@link #before} returns
   */
  static Statistics read(LogDocument json, Statistics before, Catalog catalog) {
    Json.Obj changed = json.object("changed").members();
    var all = new EndpointStatistics[catalog.endpoints().size()];
    int known = 0;
    for (Endpoint endpoint : catalog.endpoints()) {
      Json its = changed.get(endpoint.id());
      known += its == null ? 0 : 1;
      all[endpoint.ordinal()] =
          its == null
              ? before.of(endpoint)
              : EndpointStatistics.fromJson(LogDocument.of(its, endpoint.id()).members());
    }
    if (known != changed.size()) {
      throw LogDocument.unexpectedForm("changed");
    }
    LogDocument keys = json.object("keys");
    var keysNotBefore = new HashMap<String, Long>();
    for (int i = 0; i < keys.members().size(); i++) {
      String key = keys.members().name(i);
      keysNotBefore.put(key, keys.number(key));
    }
    return Statistics.of(json.number("sequence"), all, keysNotBefore);
  }

  /** Returns the number of the statistics that the difference applies to; 0 when it is complete. */
  static long before(LogDocument json) {
    return json.number("before");
  }
}
