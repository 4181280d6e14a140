package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.tck.Given.streaming;

import io.strowger.core.config.Plugins;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.tck.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Helpers for tests of the tool loop: a clock as a server tool, and requests and steps that call
 * it.
 */
final class ToolLoops {
  static final String CLOCK = "router:clock";

  private ToolLoops() {}

  /** A server tool that returns the time and records its invocations. */
  static final class ClockTool implements ServerTool {
    final List<Invocation> invocations = new ArrayList<>();

    @Override
    public Spec spec() {
      return new Spec(CLOCK, "tells the time", Json.object().put("type", "object").build());
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) throws ToolException {
      invocations.add(call);
      if (call.arguments().has("fail")) {
        throw new ToolException("the clock stands still");
      }
      return Json.object().put("now", "12:0" + invocations.size()).build();
    }
  }

  static Plugins pluginsWith(ServerTool tool) {
    return Plugins.none().tool(tool);
  }

  static InferenceRequest clockRequest(String... members) {
    return clockRequest(streaming(ScriptedEngine.MODEL, "what time is it?"), members);
  }

  /**
   * Returns the request with the clock, a function of the caller's, and these pairs of member and
   * JSON text.
   */
  static InferenceRequest clockRequest(InferenceRequest request, String... members) {
    InferenceRequest.Builder invocations =
        inOrder(request, "alpha", "beta", "gamma").toBuilder()
            .tools(
                List.of(
                    new Tool.Server(CLOCK, Json.object().put("zone", "UTC").build(), null),
                    new Tool.Function("lookup", null, null, Json.Obj.EMPTY, null)));
    for (int i = 0; i < members.length; i += 2) {
      invocations.member(members[i], json(members[i + 1]));
    }
    return invocations.build();
  }

  /** Parses JSON that is written with single quotes instead of double quotes. */
  static Json json(String text) {
    try {
      return new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  static Step toolCall(int index, @Nullable String id, @Nullable String name, String arguments) {
    return Step.emit(new Event.ToolCallDelta(index, id, name, Json.of(arguments), null));
  }

  static Step clockCall(int index) {
    return toolCall(index, "call_" + index, "clock", "{}");
  }

  static Step finishedWithCalls() {
    return Step.finished(StopReason.TOOL_CALLS);
  }

  /** Returns the text of all events. */
  static String textOf(List<Event> events) {
    var text = new StringBuilder();
    for (Event event : events) {
      text.append(event instanceof Event.TextDelta delta ? delta.text().text() : "");
    }
    return text.toString();
  }
}
