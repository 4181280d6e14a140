package io.strowger.core.decisionlog;

import io.strowger.core.health.Statistics;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.routing.RecordedJson;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a decision log from its beginning. Damage is reported, and reading continues after it.
 * Memory is bounded by the largest catalogs in it, not by the length of the log. Not thread-safe.
 * The caller closes the stream.
 */
public final class DecisionLogReader {
  private static final JsonLimits LIMITS =
      new JsonLimits(64, LogFrame.MAX_CONTENT, 65_536, 400, 10_000_000, 100_000_000);

  private final JsonCodec codec = new JacksonCodec(LIMITS);
  private final FrameReader frames;
  private final CatalogLogStates states = new CatalogLogStates();

  public DecisionLogReader(InputStream in) {
    frames = new FrameReader(in);
  }

  /** Returns how many bytes of the log have been read. */
  public long offset() {
    return frames.offset();
  }

  /**
   * Returns the next item; null at the end of the log.
   *
   * @throws IOException when the stream cannot be read
   */
  public @Nullable LogItem next() throws IOException {
    FrameReader.Part part = frames.next();
    return switch (part) {
      case null -> null;
      case FrameReader.Part.Damage(var offset, var description) ->
          new LogItem.Damage(offset, description);
      case FrameReader.Part.Frame(var offset, var kind, var content) -> item(offset, kind, content);
    };
  }

  private LogItem item(long offset, LogFrame.Kind kind, byte[] content) {
    try {
      return switch (kind) {
        case CATALOG -> catalog(offset, content);
        case STATISTICS -> statistics(offset, content, requireState(content));
        case DECISION -> decision(offset, content, requireState(content));
      };
    } catch (IllegalArgumentException | JsonCodec.MalformedJsonException e) {
      return damage(offset, kind, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) { // rejected by a constructor: no writer wrote this
      return damage(offset, kind, "cannot be read: " + e);
    }
  }

  private static LogItem damage(long offset, LogFrame.Kind kind, String problem) {
    String content =
        switch (kind) {
          case CATALOG -> "a catalog";
          case STATISTICS -> "statistics";
          case DECISION -> "a decision";
        };
    return new LogItem.Damage(offset, "the record of " + content + " " + problem);
  }

  private LogItem catalog(long offset, byte[] content) throws JsonCodec.MalformedJsonException {
    if (content.length < CatalogLogStates.HASH_BYTES) {
      throw new IllegalArgumentException("is too short");
    }
    RecordedJson document =
        document(ContentCompressor.decompress(content, CatalogLogStates.HASH_BYTES));
    Catalog catalog = CatalogJson.read(document.object("catalog"));
    byte[] hash = Arrays.copyOf(content, CatalogLogStates.HASH_BYTES);
    if (!Arrays.equals(hash, LogEncoder.hash(CatalogJson.write(catalog).toBytes()))) {
      throw new IllegalArgumentException("has content that does not match its digest");
    }
    byte[] dictionary = document.text("dictionary").getBytes(StandardCharsets.UTF_8);
    states.add(new CatalogLogState(catalog, hash, dictionary));
    return new LogItem.CatalogItem(offset, catalog);
  }

  private CatalogLogState requireState(byte[] content) {
    CatalogLogState state = states.find(content);
    if (state == null) {
      throw new IllegalArgumentException("is about a catalog that was not read before it");
    }
    return state;
  }

  private LogItem statistics(long offset, byte[] content, CatalogLogState state)
      throws JsonCodec.MalformedJsonException {
    RecordedJson document = document(decompress(content, state));
    long number = StatisticsJson.baseSequence(document);
    Statistics before = state.statistics(number);
    if (before == null) {
      throw new IllegalArgumentException(
          "says what changed since statistics " + number + ", which were not read before it");
    }
    Statistics current = StatisticsJson.read(document, before, state.catalog());
    state.add(current);
    return new LogItem.StatisticsItem(offset, state.catalog(), current);
  }

  private LogItem decision(long offset, byte[] content, CatalogLogState state)
      throws JsonCodec.MalformedJsonException {
    RecordedJson document = document(decompress(content, state));
    RoutingQuery query = RoutingQuery.fromJson(document.object("query").members());
    Statistics statistics = state.statistics(query.statisticsSequence());
    if (statistics == null) {
      throw new IllegalArgumentException(
          "is about statistics " + query.statisticsSequence() + ", which were not read before it");
    }
    return new LogItem.DecisionItem(
        offset,
        document.text("id"),
        new LogItem.DecisionInputs(state.catalog(), statistics, query),
        LoggedPlan.fromJson(document.object("plan").members()),
        EndingJson.read(document));
  }

  private static byte[] decompress(byte[] content, CatalogLogState state) {
    return ContentCompressor.decompress(content, CatalogLogStates.HASH_BYTES, state.dictionary());
  }

  private RecordedJson document(byte[] json) throws JsonCodec.MalformedJsonException {
    if (codec.parse(json) instanceof Json.Obj object) {
      return new RecordedJson(object);
    }
    throw new IllegalArgumentException("is not a JSON object");
  }
}
