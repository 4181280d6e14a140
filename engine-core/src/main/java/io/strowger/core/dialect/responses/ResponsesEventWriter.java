package io.strowger.core.dialect.responses;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events of one stream as server-sent events: one {@code data:} line each, numbered from
 * 0 without a gap. Confined to one thread.
 */
final class ResponsesEventWriter implements OutputListener {
  private static final byte[] OPENING = "data: {\"type\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NUMBER = ",\"sequence_number\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "}\n\n".getBytes(StandardCharsets.US_ASCII);

  private JsonOutput out = new JsonOutput(16);
  private long nextNumber;

  /** Sets the output for the next events. */
  void setOutput(JsonOutput output) {
    out = output;
  }

  @Override
  public void onEvent(String type, Json.Obj members) {
    int start = beginEvent(type);
    writeMembers(members);
    if (out.hasLineBreakFrom(start)) { // an upstream's line break would split the data line
      out.truncate(start);
      writeMembers(members.detached());
    }
    out.bytes(END);
  }

  private void writeMembers(Json.Obj members) {
    for (int i = 0; i < members.size(); i++) {
      out.raw(',');
      members.writeMember(i, out);
    }
  }

  @Override
  public void onText(ItemText itemText, Json.Str text, Json.Arr logprobs) {
    beginEvent(itemText.kind().eventType("delta"));
    out.bytes(itemText.locationJson());
    out.ascii(",\"delta\":");
    text.writeTo(out);
    if (itemText.kind() == ItemText.Kind.TEXT) {
      out.ascii(",\"logprobs\":");
      logprobs.detached().writeTo(out);
    }
    out.bytes(END);
  }

  /** Begins an event and returns the offset at which its members begin. */
  private int beginEvent(String type) {
    out.bytes(OPENING);
    out.string(type);
    out.bytes(NUMBER);
    out.ascii(Long.toString(nextNumber++));
    return out.length();
  }

  @Override
  public void onUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta) {
    int start = out.length();
    writeUpstreamFrame(frame, outputIndex, delta);
    if (out.hasLineBreakFrom(start)) {
      out.truncate(start);
      writeUpstreamFrame(frame.detached(), outputIndex, delta);
    }
    out.ascii("\n\n");
    nextNumber++;
  }

  private void writeUpstreamFrame(Json.Obj frame, int outputIndex, Json.@Nullable Str delta) {
    out.ascii("data: {");
    boolean hasNumber = false;
    for (int i = 0; i < frame.size(); i++) {
      if (i > 0) {
        out.raw(',');
      }
      switch (frame.name(i)) {
        case "sequence_number" -> {
          hasNumber = true;
          out.ascii("\"sequence_number\":" + nextNumber);
        }
        case "output_index" -> out.ascii("\"output_index\":" + outputIndex);
        case "delta" -> {
          out.ascii("\"delta\":");
          (delta == null ? frame.value(i) : delta).writeTo(out);
        }
        default -> frame.writeMember(i, out);
      }
    }
    if (!hasNumber) {
      out.ascii(",\"sequence_number\":" + nextNumber);
    }
    out.raw('}');
  }
}
