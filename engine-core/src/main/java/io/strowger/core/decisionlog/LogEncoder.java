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
   * How many characters of endpoint names a dictionary has; more would cost more time than they
   * save space.
   */
  private static final int MAX_NAMES = 4096;

  private CatalogParts parts = new CatalogParts();
  private final Packing packing = new Packing();

  /** Returns frames to write. After an exception the next call repeats catalog and statistics. */
  byte[] encode(LoggedDecision decision) {
    var out = new ByteArrayOutputStream(512);
    boolean done = false;
    try {
      CatalogLogState part = part(decision.catalog(), out);
      statistics(decision.statistics(), part, out);
      add(LogFrame.Kind.DECISION, decision(decision), part, out);
      done = true;
      return out.toByteArray();
    } finally {
      if (!done) { // the caller writes none of it, so no reader knows it
        parts = new CatalogParts();
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

  private CatalogLogState part(Catalog catalog, ByteArrayOutputStream out) {
    CatalogLogState known = known(catalog);
    if (known != null) {
      return known;
    }
    byte[] written = CatalogJson.write(catalog).toBytes();
    byte[] dictionary = dictionary(catalog);
    var part = new CatalogLogState(catalog, hash(written), dictionary);
    Json.Obj content =
        Json.object()
            .put("dictionary", new String(dictionary, StandardCharsets.UTF_8))
            .put("catalog", CatalogJson.write(catalog))
            .build();
    out.writeBytes(
        LogFrame.of(LogFrame.Kind.CATALOG, behind(part.hash(), packing.pack(content.toBytes()))));
    parts.add(part);
    return part;
  }

  private @Nullable CatalogLogState known(Catalog catalog) {
    for (CatalogLogState part : parts.all()) {
      if (part.catalog() == catalog) {
        return part;
      }
    }
    return null;
  }

  private void statistics(Statistics now, CatalogLogState part, ByteArrayOutputStream out) {
    if (part.statistics(now.sequence()) == null) {
      Json.Obj change = StatisticsJson.write(now, part.last(), part.catalog());
      add(LogFrame.Kind.STATISTICS, change, part, out);
      part.add(now);
    }
  }

  private void add(
      LogFrame.Kind kind, Json content, CatalogLogState part, ByteArrayOutputStream out) {
    byte[] packed = packing.pack(content.toBytes(), part.dictionary());
    out.writeBytes(LogFrame.of(kind, behind(part.hash(), packed)));
  }

  private static byte[] behind(byte[] hash, byte[] packed) {
    byte[] content = Arrays.copyOf(hash, hash.length + packed.length);
    System.arraycopy(packed, 0, content, hash.length, packed.length);
    return content;
  }

  static byte[] hash(byte[] catalog) {
    return Arrays.copyOf(Sha256.of(catalog), CatalogParts.HASH);
  }

  /**
   * Returns a compression dictionary: names of endpoints, then a typical decision, since the end of
   * a dictionary helps most.
   */
  private static byte[] dictionary(Catalog catalog) {
    var text = new StringBuilder();
    String endpoint = "";
    for (Endpoint each : catalog.endpoints()) {
      if (text.length() > MAX_NAMES) {
        break;
      }
      endpoint = each.id();
      text.append("{\"endpoint\":\"").append(endpoint).append("\"},");
    }
    RoutingQuery query =
        RoutingQuery.builder(catalog.version())
            .models(catalog.models().stream().limit(1).map(m -> ModelRef.parse(m.id())).toList())
            .build();
    Json.Obj usual =
        Json.object()
            .put("id", "gen-")
            .put("query", query.toJson())
            .put(
                "plan",
                new LoggedPlan.Attempts(List.of(new LoggedPlan.Step(endpoint, 0, null, false)))
                    .toJson())
            .put("attempts", Json.array())
            .put("outcome", "COMPLETE")
            .put("error", Json.NULL)
            .build();
    text.append("\"byok\":null,\"status\":429,\"failure\":\"RATE_LIMITED\",\"nanos\":");
    text.append("\"byok\":null,\"status\":200,\"failure\":null,\"nanos\":");
    text.append(new String(usual.toBytes(), StandardCharsets.UTF_8));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    packing.close();
  }
}
