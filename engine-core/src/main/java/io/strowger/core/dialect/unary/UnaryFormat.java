package io.strowger.core.dialect.unary;

import io.strowger.core.dialect.AnswerFormat;
import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.CostMembers;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * An answer as one document; there is no stream of it. What a provider made keeps the bytes it came
 * as. Embeddings fact sheet.
 */
interface UnaryFormat extends AnswerFormat {
  int ROOM_FOR_OURS = 1024;

  /**
   * Writes what comes before the usage.
   *
   * @param source what was judged to be the answer
   */
  void body(AnswerHeader head, Json.Obj source, Json.Obj.Builder document);

  /**
   * Writes what was used, without what it cost.
   *
   * @param source what was judged to be the answer
   */
  void usage(Usage used, Json.Obj source, Json.Obj.Builder usage);

  @Override
  default EventWriter writer(Reply.Answered reply, InferenceRequest request, Options options) {
    throw new IllegalStateException("the answer is never streamed");
  }

  @Override
  default @Nullable JsonOutput document(
      Reply.Answered reply, InferenceRequest request, CollectedAnswer answer, boolean metadata) {
    Json.Obj source = answer.source(Dialect.CHAT);
    if (answer.failed() != null || source == null) {
      return null;
    }
    Bill bill = reply.answer().bill();
    Usage used = bill != null ? bill.usage() : answer.answer().usage();
    Json.Obj.Builder document = Json.object();
    body(AnswerHeader.of(reply), source, document);
    Json.Obj.Builder usage = Json.object();
    usage(used == null ? Usage.NONE : used, source, usage);
    CostMembers.put(bill, usage);
    document.put("usage", usage.build());
    if (metadata) {
      document.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    var out = JsonOutput.splicing(ROOM_FOR_OURS);
    document.build().writeTo(out);
    return out;
  }

  /** Puts a count where there is something to count. */
  static void putSome(String name, long count, Json.Obj.Builder usage) {
    if (count > 0) {
      usage.put(name, count);
    }
  }
}
