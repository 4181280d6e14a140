package io.strowger.core.http;

import io.strowger.core.authentication.Caller;
import io.strowger.core.batch.BatchUpload;
import io.strowger.core.batch.Batches;
import io.strowger.core.batch.LargeArrayReader;
import io.strowger.core.batch.SavedBatch;
import io.strowger.core.decode.Problems;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.resource.Queries;
import io.strowger.core.resource.Queries.BatchList;
import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.BatchStore.AnsweredRequest;
import io.strowger.spi.store.BatchStore.Result;
import io.strowger.spi.store.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /batches}: creates batches while their bodies arrive, shows and deletes them. Contract:
 * "Batch operations"; resources fact sheet, section 6. Safe on any thread.
 */
final class BatchService {
  private static final Logger log = LoggerFactory.getLogger(BatchService.class);

  private static final int ID_SEGMENT = 1;

  private final Batches batches;
  private final JacksonCodec codec;
  private final WireLimits limits;

  /**
   * @param codec reads the requests of batches, one by one
   */
  BatchService(Batches batches, JacksonCodec codec, WireLimits limits) {
    this.batches = batches;
    this.codec = codec;
    this.limits = limits;
  }

  Map<Operation, OperationHandler> operations() {
    return Map.of(
        Operation.CREATE_BATCH, this::create,
        Operation.LIST_BATCHES, this::list,
        Operation.GET_BATCH, this::get,
        Operation.DELETE_BATCH, this::delete);
  }

  private WireResponse create(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    if (BodyReader.declaredLength(request) > limits.batchBytes()) {
      throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
    }
    var problems = new Problems(limits.problems());
    try (BatchUpload upload = batches.receive(caller, limits.batchRequests(), problems)) {
      SavedBatch created = upload.create(receive(request, upload));
      return responseFactory.withStatus(202, created.toJson().toBytes());
    }
  }

  private Json.Obj receive(WireRequest request, BatchUpload upload) {
    var body = new BoundedBody(request.body(), limits.batchBytes());
    var reader =
        new LargeArrayReader(
            body,
            codec,
            "requests",
            limits.requestBytes(),
            bytes -> {
              if (request.body() instanceof ChargedBody charged) {
                charged.chargeHeld(bytes);
              }
            });
    try {
      return reader.read(
          new LargeArrayReader.ItemListener() {
            @Override
            public void begin(Json.Obj members) {
              upload.begin(members);
            }

            @Override
            public void onItem(Json item) {
              upload.addRequest(item);
            }
          });
    } catch (IOException e) {
      throw GatewayError.of(
              ErrorCode.INVALID_REQUEST,
              ErrorCode.INVALID_REQUEST.message() + ": the body could not be read to its end")
          .toException();
    }
  }

  private WireResponse list(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    var problems = new Problems(limits.problems());
    BatchList query = Queries.batches(request.query(), problems);
    if (!problems.isEmpty()) {
      throw Queries.invalidBatchQuery(problems).toException();
    }
    List<SavedBatch> matches =
        batches.list(
            new BatchStore.Filter(
                caller.workspace(),
                query.statuses(),
                query.after(),
                query.createdAfter(),
                query.createdBefore(),
                query.limit() + 1));
    boolean hasMore = matches.size() > query.limit();
    List<SavedBatch> page = hasMore ? matches.subList(0, query.limit()) : matches;
    Json.Obj body =
        Json.object()
            .put("object", "list")
            .put("data", Json.array(page.stream().map(SavedBatch::toJson).toList()))
            .putOrNull("first_id", page.isEmpty() ? null : page.getFirst().id())
            .putOrNull("last_id", page.isEmpty() ? null : page.getLast().id())
            .put("has_more", hasMore)
            .build();
    return responseFactory.ok(body.toBytes(), null);
  }

  private WireResponse get(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    SavedBatch batch = batches.find(caller.workspace(), PathSegment.of(request, ID_SEGMENT));
    if (!batch.status().isTerminal()) {
      return responseFactory.ok(batch.toJson().toBytes(), null);
    }
    if (batches.isUnpaid(caller, batch)) {
      GatewayError error = GatewayError.of(ErrorCode.PAYMENT_REQUIRED);
      return responseFactory.withStatus(402, batch.toUnpaidJson(error).toBytes());
    }
    return responseFactory.streamed(new ResultsBody(batches, batch));
  }

  private WireResponse delete(Caller caller, WireRequest request, ResponseFactory responseFactory) {
    String id = PathSegment.of(request, ID_SEGMENT);
    batches.remove(caller.workspace(), id);
    Json.Obj body =
        Json.object()
            .put("id", id)
            .put("object", "batch")
            .put("deletion", Json.object().put("router", "deleted").build())
            .build();
    return responseFactory.ok(body.toBytes(), null);
  }

  /** A body that fails with 413 once more bytes than allowed were read. */
  private static final class BoundedBody extends InputStream {
    private final InputStream body;
    private long remaining;

    BoundedBody(InputStream body, long limit) {
      this.body = body;
      this.remaining = limit;
    }

    @Override
    public int read() throws IOException {
      int value = body.read();
      count(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = body.read(buffer, offset, length);
      count(Math.max(0, count));
      return count;
    }

    private void count(int bytes) {
      remaining -= bytes;
      if (remaining < 0) {
        throw GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE).toException();
      }
    }
  }

  /** A batch with its results, which are read from the store as the body is written. */
  private static final class ResultsBody implements WireBody {
    private static final long PAGE_BYTES = 512 << 10;

    private final Batches batches;
    private final SavedBatch batch;
    private int nextNumber; // the number of the next request to write
    private int writtenResults;
    private boolean hasBegun;
    private boolean hasResults;
    private boolean hasEnded;

    ResultsBody(Batches batches, SavedBatch batch) {
      this.batches = batches;
      this.batch = batch;
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
      if (hasEnded) {
        return false;
      }
      if (!hasBegun) {
        hasBegun = true;
        byte[] head = batch.toJson().toBytes();
        out.write(head, 0, head.length - 1); // without its closing brace
        out.write(utf8(",\"results\":["));
      }
      List<AnsweredRequest> page = page();
      for (AnsweredRequest answered : page) {
        write(answered, out);
        writtenResults++;
        nextNumber = answered.number() + 1;
      }
      if (page.isEmpty()) {
        if (writtenResults < batch.counts().completed() + batch.counts().failed()) {
          throw new TruncatedAnswerException("the batch was removed while its results were read");
        }
        hasEnded = true;
        out.write(utf8("]}"));
      }
      return true;
    }

    private List<AnsweredRequest> page() throws TruncatedAnswerException {
      try {
        return batches.results(batch, nextNumber, PAGE_BYTES);
      } catch (StoreUnavailableException outage) {
        log.warn(
            "the answer with the results of batch {} breaks off: the store is unavailable: {}",
            batch.id(),
            outage.getMessage());
        throw truncated(outage);
      } catch (RuntimeException bug) {
        log.error("reading the results of batch {} failed; its answer breaks off", batch.id(), bug);
        throw truncated(bug);
      }
    }

    private static TruncatedAnswerException truncated(RuntimeException cause) {
      var exception = new TruncatedAnswerException("the results could not be read to their end");
      exception.initCause(cause);
      return exception;
    }

    private void write(AnsweredRequest answered, OutputStream out) throws IOException {
      Result result = answered.result();
      Json.Obj.Builder item =
          Json.object()
              .put("id", batch.id() + "-" + answered.number())
              .put("custom_id", answered.customId());
      if (!result.completed()) {
        item.put("response", Json.NULL);
      }
      byte[] beginning = item.build().toBytes();
      out.write(utf8(hasResults ? "," : ""));
      hasResults = true;
      out.write(beginning, 0, beginning.length - 1);
      if (result.completed()) {
        Json.Obj head =
            Json.object().put("status_code", 200).put("request_id", result.generation()).build();
        byte[] response = head.toBytes();
        out.write(utf8(",\"response\":"));
        out.write(response, 0, response.length - 1);
        out.write(utf8(",\"body\":"));
        out.write(result.body());
        out.write(utf8("},\"error\":null}"));
      } else {
        out.write(utf8(",\"error\":"));
        out.write(result.body());
        out.write(utf8("}"));
      }
    }

    private static byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean ready() {
      return hasEnded;
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public void close() {
      hasEnded = true;
    }
  }
}
