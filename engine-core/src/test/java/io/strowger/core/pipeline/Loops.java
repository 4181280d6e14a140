package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.inOrder;
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

/** The words tests of the tool loop are written in: a clock the gateway runs, and who calls it. */
final class Loops {
  static final String CLOCK = "router:clock";

  private Loops() {}

  /** Says what time it is, and remembers how often it was asked. */
  static final class Clock implements ServerTool {
    final List<Invocation> asked = new ArrayList<>();

    @Override
    public Spec spec() {
      return new Spec(CLOCK, "tells the time", Json.object().put("type", "object").build());
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) throws ToolException {
      asked.add(call);
      if (call.arguments().has("fail")) {
        throw new ToolException("the clock stands still");
      }
      return Json.object().put("now", "12:0" + asked.size()).build();
    }
  }

  static Plugins with(ServerTool tool) {
    return Plugins.none().tool(tool);
  }

  static InferenceRequest asking(String... members) {
    return asking(streaming(ScriptedEngine.MODEL, "what time is it?"), members);
  }

  /** With the clock, a function of the caller's, and pairs of member and JSON. */
  static InferenceRequest asking(InferenceRequest request, String... members) {
    InferenceRequest.Builder asked =
        inOrder(request, "alpha", "beta", "gamma").toBuilder()
            .tools(
                List.of(
                    new Tool.Server(CLOCK, Json.object().put("zone", "UTC").build(), null),
                    new Tool.Function("lookup", null, null, Json.Obj.EMPTY, null)));
    for (int i = 0; i < members.length; i += 2) {
      asked.member(members[i], json(members[i + 1]));
    }
    return asked.build();
  }

  /** JSON with single quotes for double ones. */
  static Json json(String text) {
    try {
      return new JacksonCodec().parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException wrong) {
      throw new AssertionError(text, wrong);
    }
  }

  static Step call(int index, @Nullable String id, @Nullable String name, String arguments) {
    return Step.emit(new Event.ToolCallDelta(index, id, name, Json.of(arguments), null));
  }

  static Step clock(int index) {
    return call(index, "call_" + index, "clock", "{}");
  }

  static Step calls() {
    return Step.finished(StopReason.TOOL_CALLS);
  }

  /** All text of a stream. */
  static String said(List<Event> events) {
    var text = new StringBuilder();
    for (Event event : events) {
      text.append(event instanceof Event.TextDelta delta ? delta.text().text() : "");
    }
    return text.toString();
  }
}
