package io.strowger.core.batch;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.core.inference.PriceQuotes.Quote;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives a batch: its requests are checked, priced and stored as they arrive, so that only a few
 * of them are in memory at a time. The batch is not visible until it is complete and valid. An
 * upload must be closed, which removes its requests unless the batch was created. For one thread.
 * Contract: "createBatches"; open questions 20, 78.
 */
public final class BatchUpload implements AutoCloseable {
  private static final int REQUESTS_AT_ONCE = 200;
  private static final int BYTES_AT_ONCE = 256 << 10;
  private static final ProviderSort CHEAPEST =
      new ProviderSort(ProviderSort.Key.PRICE, ProviderSort.Partition.MODEL);

  private final Batches batches;
  private final Caller caller;
  private final IncrementalBatchDecoder intake;
  private final Problems problems;
  private final Problems shapes;
  private final List<Request> waiting = new ArrayList<>();
  private Batch row;
  private List<String> only = List.of();
  private Charge most = Charge.ZERO;
  private @Nullable Charge least; // of one request; null when none was priced
  private @Nullable String provider;
  private @Nullable GatewayError unserved; // of the first request that no endpoint can answer
  private int waitingBytes;
  private boolean begun; // the row is in the store
  private boolean created;

  BatchUpload(
      Batches batches,
      Caller caller,
      Batch row,
      IncrementalBatchDecoder intake,
      Problems problems) {
    this.batches = batches;
    this.caller = caller;
    this.row = row;
    this.intake = intake;
    this.problems = problems;
    this.shapes = problems.another();
  }

  /**
   * Begins the requests of the batch.
   *
   * @param before the members before the requests; their errors are reported at the end
   */
  public void begin(Json.Obj before) {
    intake.begin(before);
    Json.Obj providers = before.object("provider");
    Json.Arr given = providers == null ? null : providers.list("only");
    if (given != null) {
      only =
          given.stream()
              .filter(Json.Str.class::isInstance)
              .map(slug -> ((Json.Str) slug).text())
              .toList();
    }
  }

  /**
   * Receives the next request.
   *
   * @throws GatewayException 413 when the store has no room for it, 400 when there are too many
   */
  public void addRequest(Json given) {
    if (intake.isFull()) {
      throw BatchRefusal.malformed(intake.tooMany()).toException(); // the rest is not read
    }
    int place = intake.count();
    BatchCreate.Item item = intake.decodeRequest(given);
    BatchEndpoint endpoint = intake.endpoint();
    String model = intake.model();
    if (item == null || endpoint == null || model == null) {
      return;
    }
    BatchShapes.check(endpoint, place, item.body(), shapes);
    if (!intake.isGood() || !shapes.isEmpty()) {
      return; // the batch will be refused: further requests are only checked
    }
    byte[] body = item.body().with("model", Json.of(model)).toBytes();
    price(endpoint, body);
    if (unserved == null) {
      keep(new Request(place, item.customId(), body));
    }
  }

  /** Prices a request. An invalid one is not priced: it fails the batch when it is validated. */
  private void price(BatchEndpoint endpoint, byte[] body) {
    if (unserved != null) {
      return;
    }
    InferenceRequest request = readable(endpoint, body);
    if (request == null) {
      return;
    }
    try {
      Quote quote = batches.quotes().of(caller, request);
      provider = provider == null ? quote.provider() : provider;
      most = most.plus(quote.most());
      least = least == null ? quote.least() : least.min(quote.least());
    } catch (GatewayException nobody) {
      unserved = nobody.error();
    }
  }

  private @Nullable InferenceRequest readable(BatchEndpoint endpoint, byte[] body) {
    try {
      return batches.requestHandler().read(caller, endpoint, body, this::choosing);
    } catch (GatewayException wrong) {
      return null;
    }
  }

  /** Returns preferences for the cheapest provider, or for the one that the first request chose. */
  private ProviderPreferences choosing(ProviderPreferences own) {
    String chosen = provider;
    if (chosen != null) {
      return own.toBuilder().only(SavedBatch.restrictedTo(own, List.of(chosen))).build();
    }
    ProviderPreferences.Builder cheapest = own.toBuilder().order(List.of()).sort(CHEAPEST);
    return only.isEmpty()
        ? cheapest.build()
        : cheapest.only(SavedBatch.restrictedTo(own, only)).build();
  }

  private void keep(Request request) {
    waiting.add(request);
    waitingBytes += request.body().length;
    if (waiting.size() >= REQUESTS_AT_ONCE || waitingBytes >= BYTES_AT_ONCE) {
      store();
    }
  }

  private void store() {
    if (waiting.isEmpty()) {
      return;
    }
    if (!begun) {
      begun = true;
      if (!batches.store().add(row)) {
        throw GatewayError.of(ErrorCode.CONFLICT).toException();
      }
    }
    try {
      batches.store().addRequests(row.id(), List.copyOf(waiting));
    } catch (StoreRefusedException full) {
      throw GatewayError.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              ErrorCode.PAYLOAD_TOO_LARGE.message() + ": " + full.getMessage())
          .toException();
    }
    waiting.clear();
    waitingBytes = 0;
  }

  /**
   * Ends the upload and creates the batch.
   *
   * @param all the members of the body; the items of {@code requests} are ignored
   * @throws GatewayException 400 or 422 when the batch is invalid, 402 or 403 when its price cannot
   *     be paid now, 429 when too many batches are unfinished, or any other error with which an
   *     inference request is refused
   */
  public SavedBatch create(Json.Obj all) {
    BatchCreate head = intake.end(all);
    if (head == null) {
      throw BatchRefusal.malformed(problems).toException();
    }
    if (!shapes.isEmpty()) {
      throw BatchRefusal.unusable(shapes).toException();
    }
    refuseUnserved();
    GatewayError unpayable = batches.quotes().shortfall(caller, most);
    if (unpayable != null) {
      throw unpayable.toException();
    }
    batches.checkOpen(caller.workspace());
    store();
    var receiving = new SavedBatch(row);
    Batch received =
        receiving.received(head, new SavedBatch.Priced(provider, least), intake.count());
    if (!batches.store().replace(received)) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException(); // it took too long and was abandoned
    }
    created = true;
    batches.wake();
    return new SavedBatch(received);
  }

  /** Throws the error of the first request without an endpoint, if any. Open question 20. */
  private void refuseUnserved() {
    GatewayError nobody = unserved;
    if (nobody == null) {
      return;
    }
    throw (nobody.code() == ErrorCode.WRONG_ENDPOINT || nobody.code() == ErrorCode.NO_ENDPOINTS
            ? GatewayError.of(
                ErrorCode.UNPROCESSABLE,
                ErrorCode.UNPROCESSABLE.message() + ": " + nobody.message())
            : nobody)
        .toException();
  }

  @Override
  public void close() {
    if (!begun || created) {
      return;
    }
    try {
      Batch gone = new SavedBatch(row).removed(batches.ambient().now());
      if (batches.store().replace(gone)) {
        batches.removeContent(row.id(), true);
      }
    } catch (StoreUnavailableException down) {
      // the next step of the batch removes it once it is due
    }
  }
}
