package io.strowger.core.audit;

/** The actions that the audit log records, with the words that {@code GET /audit-log} shows. */
public enum AuditAction {
  KEY_CREATE("key.create"),
  KEY_UPDATE("key.update"),
  KEY_ROTATE("key.rotate"),
  KEY_DELETE("key.delete"),
  BYOK_CREATE("byok.create"),
  BYOK_UPDATE("byok.update"),
  BYOK_DELETE("byok.delete"),
  WORKSPACE_CREATE("workspace.create"),
  WORKSPACE_UPDATE("workspace.update"),
  WORKSPACE_DELETE("workspace.delete"),
  GUARDRAIL_CREATE("guardrail.create"),
  GUARDRAIL_UPDATE("guardrail.update"),
  GUARDRAIL_DELETE("guardrail.delete"),
  GUARDRAIL_ASSIGN("guardrail.assign"),
  GUARDRAIL_UNASSIGN("guardrail.unassign"),
  PRESET_CREATE("preset.create"),
  PRESET_UPDATE("preset.update"),
  PRESET_DELETE("preset.delete"),
  DESTINATION_CREATE("destination.create"),
  DESTINATION_UPDATE("destination.update"),
  DESTINATION_DELETE("destination.delete"),
  CONFIGURATION_RELOAD("configuration.reload");

  private final String wireName;

  AuditAction(String wireName) {
    this.wireName = wireName;
  }

  String wireName() {
    return wireName;
  }

  /** Returns the type of the changed resource: the part before the dot. */
  String type() {
    return wireName.substring(0, wireName.indexOf('.'));
  }
}
