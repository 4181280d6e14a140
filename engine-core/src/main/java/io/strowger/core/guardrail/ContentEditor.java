package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.TextEditor;
import io.strowger.spi.model.TextKind;
import java.util.List;

/**
 * Applies the filters to the texts of one request and records what they find. Tool declarations and
 * the settings of the request are not scanned.
 */
record ContentEditor(TextFilter filter, Findings findings, CooperativeScan scan)
    implements TextEditor {
  /**
   * Replaces all arguments of a call, since redacting a match across several values would break the
   * JSON.
   */
  private static final String REPLACEMENT =
      Json.object().put("arguments", "[REDACTED]").build().toString();

  @Override
  public boolean edits(TextKind kind) {
    return kind != TextKind.TOOL_DECLARATION && kind != TextKind.SETTING;
  }

  @Override
  public String edit(String text, TextKind kind) {
    return filter.filter(text, kind == TextKind.USER, findings, scan);
  }

  @Override
  public List<String> editAdjacent(List<String> texts, TextKind kind) {
    return filter.filter(texts, kind == TextKind.USER, findings, scan);
  }

  @Override
  public String editArguments(String json) {
    return filter.filter(json, false, findings, scan).equals(json) ? json : REPLACEMENT;
  }
}
