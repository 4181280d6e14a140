package io.strowger.core.administration;

import io.strowger.core.config.ByokKey;
import io.strowger.core.resource.ByokKeyFields;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.KeyId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A customer's own key as a document: its group is the workspace, empty for all; hidden is
 * disabled; the provider's key is in {@code sealed}, encrypted.
 */
final class ByokKeyDocument {
  static final String SEALED = "sealed";

  private ByokKeyDocument() {}

  static Json.Obj body(String provider, String label, String sealed, ByokKeyFields fields) {
    return with(
        Json.object().put("provider", provider).put("label", label).put(SEALED, sealed).build(),
        fields);
  }

  static Json.Obj with(Json.Obj body, ByokKeyFields fields) {
    String name = fields.name();
    return body.with("name", name == null ? Json.NULL : Json.of(name))
        .with("is_fallback", Json.of(fields.fallback()))
        .with("sort_order", Json.of(fields.sortOrder()))
        .with("always_use", Json.of(fields.alwaysUse()))
        .with("allowed_models", list(fields.models()))
        .with("allowed_api_key_hashes", list(fields.keys()))
        .with("allowed_user_ids", list(fields.users()));
  }

  static Json.Obj with(Json.Obj body, String label, String sealed) {
    return body.with("label", Json.of(label)).with(SEALED, Json.of(sealed));
  }

  static Json list(@Nullable List<String> texts) {
    return texts == null ? Json.NULL : Json.array(texts.stream().map(Json::of).toList());
  }

  static ByokKeyInfo read(Document document) {
    Json.Obj body = document.body();
    var fields =
        new ByokKeyFields(
            body.text("name"),
            document.hidden(),
            Json.TRUE.equals(body.get("is_fallback")),
            (int) body.whole("sort_order", 0),
            Json.TRUE.equals(body.get("always_use")),
            texts(body.list("allowed_models")),
            texts(body.list("allowed_api_key_hashes")),
            texts(body.list("allowed_user_ids")));
    String provider = body.text("provider");
    String label = body.text("label");
    return new ByokKeyInfo(
        document.id(),
        provider == null ? "" : provider,
        label == null ? "***" : label,
        document.group().isEmpty() ? null : document.group(),
        fields,
        document.createdAt(),
        document.version() == 1 ? null : document.updatedAt());
  }

  /** What is encrypted in it; empty when nothing is. */
  static String sealed(Document document) {
    String sealed = document.body().text(SEALED);
    return sealed == null ? "" : sealed;
  }

  /** The key in force. */
  static ByokKey inForce(ByokKeyInfo key, Credential credential) {
    ByokKeyFields fields = key.fields();
    List<String> hashes = fields.keys();
    List<KeyId> keys = hashes == null ? null : hashes.stream().map(KeyDocument::keyId).toList();
    var use =
        new ByokKey.Use(
            fields.fallback(),
            fields.sortOrder(),
            fields.alwaysUse(),
            fields.models(),
            new ByokKey.KeyAudience(keys, fields.users(), key.workspaceId()));
    return new ByokKey(key.id(), key.provider(), credential, use);
  }

  private static @Nullable List<String> texts(Json.@Nullable Arr list) {
    if (list == null) {
      return null;
    }
    var texts = new ArrayList<String>(list.size());
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof Json.Str text) {
        texts.add(text.text());
      }
    }
    return texts;
  }
}
