package io.strowger.core.tools;

import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Arguments;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs calls of one request. Whatever becomes of a call, the model reads it: a result, or why there
 * is none; the request goes on. For the request's thread.
 */
final class ToolRun {
  private static final Logger log = LoggerFactory.getLogger(ToolRun.class);

  private final OfferedTools tools;
  private final ToolTally tally;
  private final JsonCodec codec;
  private final Chain chain;
  private final Map<String, Integer> runs = new TreeMap<>();

  ToolRun(OfferedTools tools, ToolTally tally, JsonCodec codec, Chain chain) {
    this.tools = tools;
    this.tally = tally;
    this.codec = codec;
    this.chain = chain;
  }

  OfferedTools tools() {
    return tools;
  }

  /** How often each tool was run, by type, in alphabetical order. */
  Map<String, Integer> runs() {
    return runs;
  }

  /**
   * A call and what it gave.
   *
   * @param failed the result says why there is none
   */
  record Done(Part.ToolCall call, String type, Json result, boolean failed) {}

  /** A call that is not run any more. */
  Done refused(Part.ToolCall call, OfferedTools.Offer offer, int most) {
    return failed(call, offer, "Not run: at most " + most + " tool calls are run for a request.");
  }

  Done run(Part.ToolCall call, OfferedTools.Offer offer) {
    tally.executed();
    runs.merge(offer.type(), 1, Integer::sum);
    Json.Obj arguments = arguments(call.arguments());
    if (arguments == null) {
      return failed(call, offer, "The arguments are no JSON object.");
    }
    try {
      Json result =
          offer.tool().run(new ServerTool.Invocation(arguments, offer.parameters()), chain);
      return result == null
          ? failed(call, offer, "The tool gave nothing.")
          : new Done(call, offer.type(), result, false);
    } catch (ServerTool.ToolFailure told) {
      String why = told.getMessage();
      return failed(call, offer, why == null ? "The tool failed." : why);
    } catch (GatewayException refused) {
      return failed(call, offer, refused.error().message());
    } catch (RuntimeException | Error bug) {
      log.error("the tool {} failed", offer.type(), bug);
      chain.note("the tool " + offer.type() + " failed");
      return failed(call, offer, "The tool failed.");
    }
  }

  private static Done failed(Part.ToolCall call, OfferedTools.Offer offer, String why) {
    return new Done(call, offer.type(), Json.object().put("error", why).build(), true);
  }

  /** None at all are an empty object. */
  private Json.@Nullable Obj arguments(Arguments given) {
    return switch (given) {
      case Arguments.Value(Json value) -> value instanceof Json.Obj object ? object : null;
      case Arguments.Text(Json.Str written) -> parsed(written.text());
    };
  }

  private Json.@Nullable Obj parsed(String text) {
    if (text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    try {
      return codec.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof Json.Obj object
          ? object
          : null;
    } catch (JsonCodec.MalformedJson byTheModel) {
      return null;
    }
  }
}
