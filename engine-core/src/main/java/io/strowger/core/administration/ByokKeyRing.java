package io.strowger.core.administration;

import io.strowger.core.config.ByokKey;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.core.store.DocumentChangeListener;
import io.strowger.core.store.DocumentRepository;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the active BYOK keys in memory, decrypted. The keys are read from the store when they
 * change, never by a request. A key that cannot be decrypted is logged and left out. Safe on any
 * thread.
 */
public final class ByokKeyRing implements ByokKeys, DocumentChangeListener {
  private static final Logger log = LoggerFactory.getLogger(ByokKeyRing.class);

  private final DocumentRepository repository;
  private final SecretCipher cipher;
  private final ReentrantLock updateLock =
      new ReentrantLock(); // held while keys are read, so that no older state replaces a newer one
  private volatile Map<String, ByokKey> keysById = Map.of();
  private volatile List<ByokKey> keyList = List.of();

  public ByokKeyRing(DocumentRepository repository, SecretCipher cipher) {
    this.repository = Objects.requireNonNull(repository, "repository");
    this.cipher = Objects.requireNonNull(cipher, "cipher");
  }

  @Override
  public List<ByokKey> all() {
    return keyList;
  }

  @Override
  public @Nullable ByokKey find(String id) {
    return keysById.get(id);
  }

  @Override
  public Set<String> kinds() {
    return Set.of(StoredByokKeys.KIND);
  }

  @Override
  public void invalidate(DocumentStore.Ref changed) {
    updateLock.lock();
    try {
      var next = new TreeMap<>(keysById);
      ByokKey key = decryptActive(repository.find(changed.id()));
      if (key == null) {
        next.remove(changed.id());
      } else {
        next.put(changed.id(), key);
      }
      publish(next);
    } finally {
      updateLock.unlock();
    }
  }

  @Override
  public void dropAll() {
    updateLock.lock();
    try {
      var next = new TreeMap<String, ByokKey>();
      for (Document document : repository.findAll(null)) {
        ByokKey key = decryptActive(document);
        if (key != null) {
          next.put(key.id(), key);
        }
      }
      publish(next);
    } finally {
      updateLock.unlock();
    }
  }

  private void publish(Map<String, ByokKey> next) {
    keysById = next;
    keyList = List.copyOf(next.values());
  }

  private @Nullable ByokKey decryptActive(@Nullable Document document) {
    if (document == null || document.hidden()) {
      return null;
    }
    try {
      String sealedSecret = text(document.body(), ResourceType.SEALED);
      return read(
          document, cipher.open(sealedSecret, StoredByokKeys.sealingContext(document.id())));
    } catch (SecretKeyException unreadable) {
      log.error(
          "the customer's provider key {} is not used: it cannot be decrypted: {}",
          document.id(),
          unreadable.getMessage());
      return null;
    }
  }

  private static ByokKey read(Document document, Credential credential) {
    Json.Obj body = document.body();
    List<String> hashes = texts(body.list("allowed_api_key_hashes"));
    var audience =
        new ByokKey.KeyAudience(
            hashes == null ? null : hashes.stream().map(KeyDocument::keyId).toList(),
            texts(body.list("allowed_user_ids")),
            document.group().isEmpty() ? null : document.group());
    var use =
        new ByokKey.Use(
            Json.TRUE.equals(body.get("is_fallback")),
            (int) body.longValue("sort_order", 0),
            Json.TRUE.equals(body.get("always_use")),
            texts(body.list("allowed_models")),
            audience);
    return new ByokKey(document.id(), text(body, "provider"), credential, use);
  }

  private static String text(Json.Obj body, String name) {
    return Objects.requireNonNullElse(body.text(name), "");
  }

  private static @Nullable List<String> texts(Json.@Nullable Arr list) {
    if (list == null) {
      return null;
    }
    var texts = new ArrayList<String>(list.size());
    for (Json item : list) {
      if (item instanceof Json.Str text) {
        texts.add(text.text());
      }
    }
    return texts;
  }
}
