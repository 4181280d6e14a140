package io.strowger.core.decisionlog;

import io.strowger.core.digest.Sha256;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes decisions as records. A decision's catalog and statistics precede it, unless an earlier
 * record contains them. Not thread-safe.
 */
final class LogEncoder implements AutoCloseable {
  /**
   * How many characters of endpoint names a dictionary has. More names would cost time and save
   * little space.
   */
  private static final int MAX_NAMES = 4096;

  private CatalogLogStates states = new CatalogLogStates();
  private final ContentCompressor compressor = new ContentCompressor();

  /**
   * Returns the frames of a decision. After an exception the next call repeats catalog and
   * statistics.
   */
  byte[] encode(LoggedDecision decision) {
    var out = new ByteArrayOutputStream(512);
    boolean succeeded = false;
    try {
      CatalogLogState state = stateOf(decision.catalog(), out);
      statistics(decision.statistics(), state, out);
      add(LogFrame.Kind.DECISION, decision(decision), state, out);
      succeeded = true;
      return out.toByteArray();
    } finally {
      if (!succeeded) { // nothing is written, so readers do not know the new states
        states = new CatalogLogStates();
      }
    }
  }

  private static Json.Obj decision(LoggedDecision decision) {
    return Json.object()
        .put("id", decision.id())
        .put("query", decision.query().toJson())
        .put("plan", LoggedPlan.of(decision.plan()).toJson())
        .putAll(EndingJson.write(decision.ending()))
        .build();
  }

  private CatalogLogState stateOf(Catalog catalog, ByteArrayOutputStream out) {
    CatalogLogState knownState = find(catalog);
    if (knownState != null) {
      return knownState;
    }
    byte[] catalogJson = CatalogJson.write(catalog).toBytes();
    byte[] dictionary = dictionary(catalog);
    var state = new CatalogLogState(catalog, hash(catalogJson), dictionary);
    Json.Obj content =
        Json.object()
            .put("dictionary", new String(dictionary, StandardCharsets.UTF_8))
            .put("catalog", CatalogJson.write(catalog))
            .build();
    out.writeBytes(
        LogFrame.of(
            LogFrame.Kind.CATALOG, prepend(state.hash(), compressor.compress(content.toBytes()))));
    states.add(state);
    return state;
  }

  private @Nullable CatalogLogState find(Catalog catalog) {
    for (CatalogLogState state : states.all()) {
      if (state.catalog() == catalog) {
        return state;
      }
    }
    return null;
  }

  private void statistics(Statistics current, CatalogLogState state, ByteArrayOutputStream out) {
    if (state.statistics(current.sequence()) == null) {
      Json.Obj change = StatisticsJson.write(current, state.last(), state.catalog());
      add(LogFrame.Kind.STATISTICS, change, state, out);
      state.add(current);
    }
  }

  private void add(
      LogFrame.Kind kind, Json content, CatalogLogState state, ByteArrayOutputStream out) {
    byte[] compressed = compressor.compress(content.toBytes(), state.dictionary());
    out.writeBytes(LogFrame.of(kind, prepend(state.hash(), compressed)));
  }

  private static byte[] prepend(byte[] hash, byte[] compressed) {
    byte[] content = Arrays.copyOf(hash, hash.length + compressed.length);
    System.arraycopy(compressed, 0, content, hash.length, compressed.length);
    return content;
  }

  static byte[] hash(byte[] catalog) {
    return Arrays.copyOf(Sha256.of(catalog), CatalogLogStates.HASH_BYTES);
  }

  /**
   * Returns a compression dictionary: names of endpoints, then a typical decision, since the end of
   * a dictionary helps most.
   */
  private static byte[] dictionary(Catalog catalog) {
    var text = new StringBuilder();
    String endpoint = "";
    for (Endpoint catalogEndpoint : catalog.endpoints()) {
      if (text.length() > MAX_NAMES) {
        break;
      }
      endpoint = catalogEndpoint.id();
      text.append("{\"endpoint\":\"").append(endpoint).append("\"},");
    }
    RoutingQuery query =
        RoutingQuery.builder(catalog.version())
            .models(catalog.models().stream().limit(1).map(m -> ModelRef.parse(m.id())).toList())
            .build();
    Json.Obj typicalDecision =
        Json.object()
            .put("id", "gen-")
            .put("query", query.toJson())
            .put(
                "plan",
                new LoggedPlan.Attempts(List.of(new LoggedPlan.Candidate(endpoint, 0, null, false)))
                    .toJson())
            .put("attempts", Json.array())
            .put("outcome", "COMPLETE")
            .put("error", Json.NULL)
            .build();
    text.append("\"byok\":null,\"status\":429,\"failure\":\"RATE_LIMITED\",\"nanos\":");
    text.append("\"byok\":null,\"status\":200,\"failure\":null,\"nanos\":");
    text.append(new String(typicalDecision.toBytes(), StandardCharsets.UTF_8));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    compressor.close();
  }
}
