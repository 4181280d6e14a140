package io.strowger.core.decisionlog;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RecordedJson;
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
  static Json.Obj write(Statistics current, Statistics before, Catalog catalog) {
    Json.Obj.Builder changed = Json.object();
    for (Endpoint endpoint : catalog.endpoints()) {
      EndpointStatistics endpointStatistics = current.of(endpoint);
      if (!endpointStatistics.equals(before.of(endpoint))) {
        changed.put(endpoint.id(), endpointStatistics.toJson());
      }
    }
    Json.Obj.Builder keys = Json.object();
    new TreeMap<>(current.keysBlockedUntilMillis()).forEach(keys::put);
    return Json.object()
        .put("sequence", current.sequence())
        .put("before", before.sequence())
        .put("changed", changed.build())
        .put("keys", keys.build())
        .build();
  }

  /**
   * Reads the statistics that {@link #write} wrote.
   *
   * @param before the statistics whose number {@link #baseSequence} returns
   */
  static Statistics read(RecordedJson json, Statistics before, Catalog catalog) {
    Json.Obj changed = json.object("changed").members();
    var byOrdinal = new EndpointStatistics[catalog.endpoints().size()];
    int knownCount = 0;
    for (Endpoint endpoint : catalog.endpoints()) {
      Json endpointJson = changed.get(endpoint.id());
      knownCount += endpointJson == null ? 0 : 1;
      byOrdinal[endpoint.ordinal()] =
          endpointJson == null
              ? before.of(endpoint)
              : EndpointStatistics.fromJson(RecordedJson.of(endpointJson, endpoint.id()).members());
    }
    if (knownCount != changed.size()) {
      throw RecordedJson.unexpectedForm("changed");
    }
    RecordedJson keys = json.object("keys");
    var keysBlockedUntil = new HashMap<String, Long>();
    for (int i = 0; i < keys.members().size(); i++) {
      String key = keys.members().name(i);
      keysBlockedUntil.put(key, keys.number(key));
    }
    return Statistics.of(json.number("sequence"), byOrdinal, keysBlockedUntil);
  }

  /**
   * Returns the number of the statistics that the difference applies to; 0 when it has all of them.
   */
  static long baseSequence(RecordedJson json) {
    return json.number("before");
  }
}
