package io.strowger.core.tools;

import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tool calls of one request. For each call the model receives a result or the reason why there
 * is none, and the request goes on. Confined to the request's thread.
 */
final class ToolRun {
  private static final Logger log = LoggerFactory.getLogger(ToolRun.class);

  private static final int MAX_RESULT = 1 << 20; // bytes

  private final OfferedTools tools;
  private final ToolTally tally;
  private final ToolArguments arguments;
  private final Chain chain;
  private final Map<String, Integer> runs = new TreeMap<>();
  private final Map<String, List<Json>> earlier = new HashMap<>(); // results by function name

  ToolRun(OfferedTools tools, ToolTally tally, ToolArguments arguments, Chain chain) {
    this.tools = tools;
    this.tally = tally;
    this.arguments = arguments;
    this.chain = chain;
  }

  OfferedTools tools() {
    return tools;
  }

  /** Returns how often each tool was run, by type in alphabetical order. */
  Map<String, Integer> runs() {
    return runs;
  }

  /**
   * A call and its result.
   *
   * @param failed whether the call failed, so that the result is the reason
   */
  record Done(Part.ToolCall call, String type, Json result, boolean failed) {}

  /** Returns the result of a call that is not run because of the limit. */
  Done refused(Part.ToolCall call, OfferedTools.Offer offer, int most) {
    return failed(call, offer, "Not run: at most " + most + " tool calls are run for a request.");
  }

  /**
   * Runs one call.
   *
   * @param asked the request of the turn, with the tools that the caller declared
   */
  Done run(Part.ToolCall call, OfferedTools.Offer offer, InferenceRequest asked) {
    int before = runs.getOrDefault(offer.type(), 0);
    Done done = done(call, offer, asked);
    if (runs.getOrDefault(offer.type(), 0) > before) { // it ran: the arguments were valid
      earlier(offer).add(done.result());
    }
    return done;
  }

  private List<Json> earlier(OfferedTools.Offer offer) {
    return earlier.computeIfAbsent(offer.name(), name -> new ArrayList<>());
  }

  private Done done(Part.ToolCall call, OfferedTools.Offer offer, InferenceRequest asked) {
    try {
      return switch (arguments.read(call.arguments(), offer.tool().spec())) {
        case ToolArguments.Read.Bad(String why, List<String> problems) ->
            failed(call, offer, why, problems);
        case ToolArguments.Read.Good(Json.Obj given, String note) -> {
          if (note != null) {
            chain.note(note);
          }
          yield ran(
              call,
              offer,
              new ServerTool.Invocation(given, offer.parameters(), asked, earlier(offer)));
        }
      };
    } catch (ServerTool.ToolException told) {
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

  private Done ran(Part.ToolCall call, OfferedTools.Offer offer, ServerTool.Invocation invocation)
      throws ServerTool.ToolException {
    tally.executed();
    runs.merge(offer.type(), 1, Integer::sum);
    Json result = offer.tool().run(invocation, chain);
    if (result == null) {
      chain.note("the tool " + offer.type() + " gave nothing");
      return failed(call, offer, "The tool gave nothing.");
    }
    if (result.writtenLength() > MAX_RESULT) {
      chain.note("the tool " + offer.type() + " gave more than " + MAX_RESULT + " bytes");
      return failed(call, offer, "The tool gave more than a model can read.");
    }
    return new Done(call, offer.type(), result, false);
  }

  private static Done failed(Part.ToolCall call, OfferedTools.Offer offer, String why) {
    return failed(call, offer, why, List.of());
  }

  private static Done failed(
      Part.ToolCall call, OfferedTools.Offer offer, String why, List<String> problems) {
    Json.Obj.Builder result = Json.object().put("error", why);
    if (!problems.isEmpty()) {
      result.put("problems", Json.array(problems.stream().map(Json::of).toList()));
    }
    return new Done(call, offer.type(), result.build(), true);
  }
}
