package io.strowger.core.preset;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.preset.SavedPreset.PresetKey;
import io.strowger.core.resource.PresetCreate;
import io.strowger.core.store.DocumentCache;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps presets and their versions in a store. Contract: "Preset", "PresetVersion"; resources fact
 * sheet, section 2.
 *
 * <p>A preset and its new version are written together or not at all, and only if the preset did
 * not change since it was read: of concurrent writers one wins, the others get a conflict, and
 * version numbers have no gaps. Inference reads presets from a cache; what another node wrote is
 * seen within {@link StoreWatch#EVERY}.
 *
 * <p>Safe on any thread. Every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}.
 */
public final class PresetDirectory implements Presets {
  /** The document kind of presets, whose group is the workspace. */
  static final String PRESET = "preset";

  /** The document kind of versions, whose group is the id of the preset's document. */
  static final String VERSION = "preset_version";

  private static final int COPIES = 10_000;

  private final StoreWatch watch;
  private final WorkspaceGuard workspaceGuard;
  private final Ambient ambient;
  private final DocumentRepository saved;
  private final DocumentRepository versions;
  private final DocumentCache<SavedPreset> copies;
  private final AuditLog audit;

  public PresetDirectory(StoreWatch watch, Ambient ambient) {
    this.watch = Objects.requireNonNull(watch, "watch");
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.saved = new DocumentRepository(watch, PRESET, ambient);
    this.versions = new DocumentRepository(watch, VERSION, ambient);
    this.audit = new AuditLog(ambient);
    this.copies = watch.copies(PRESET, PresetDirectory::read, COPIES);
  }

  /**
   * One page of a list.
   *
   * @param total how many items the whole list has
   */
  public record Listed<T>(List<T> items, long total) {
    public Listed {
      items = List.copyOf(items);
    }
  }

  @Override
  public @Nullable Preset findActive(String workspace, String slug) {
    SavedPreset found = copies.find(new PresetKey(workspace, slug).key());
    return found == null ? null : found.toActivePreset();
  }

  /**
   * Creates a preset, or a new version of one, which inference uses from now on. The status of an
   * existing preset does not change.
   *
   * @param by who asks
   * @throws io.strowger.spi.error.GatewayException 409 when somebody else wrote it meanwhile
   */
  public SavedPreset create(String workspace, AuditActor by, PresetCreate wanted) {
    var presetKey = new PresetKey(workspace, wanted.slug());
    Document now = saved.find(presetKey.key());
    return now == null ? first(presetKey, by, wanted) : next(now, by, wanted);
  }

  /** Returns the audit entry, without the preset's content, which may be private. */
  private Write entry(
      AuditActor by, AuditAction action, SavedPreset preset, AuditChanges auditChanges) {
    return audit.entry(by, action, subject(preset.home()), auditChanges);
  }

  private static AuditLog.Subject subject(PresetKey presetKey) {
    return new AuditLog.Subject(presetKey.slug(), presetKey.slug(), presetKey.workspace());
  }

  /** Returns the writes that remove a workspace's presets together with it. */
  public static List<Write> removals(
      StoreWatch watch, Ambient ambient, String workspace, AuditActor by) {
    var audit = new AuditLog(ambient);
    var versions = new DocumentRepository(watch, VERSION, ambient);
    var writes = new ArrayList<Write>();
    for (Document preset : new DocumentRepository(watch, PRESET, ambient).all(workspace)) {
      writes.add(new Write.Remove(PRESET, preset.id(), preset.version()));
      for (Document version : versions.all(preset.id())) {
        writes.add(new Write.Remove(VERSION, version.id(), version.version()));
      }
      AuditLog.Subject gone = subject(read(preset).home());
      writes.add(audit.entry(by, AuditAction.PRESET_DELETE, gone, AuditChanges.NONE));
    }
    return writes;
  }

  private SavedPreset first(PresetKey presetKey, AuditActor by, PresetCreate wanted) {
    String creator = by.creator();
    String id = Uuids.next(ambient).toString();
    Instant at = saved.now();
    PresetVersion version = version(id, 1, wanted, creator, at);
    var made = new SavedPreset(id, presetKey, PresetStatus.ACTIVE, null, at, at, creator, version);
    Document document =
        Document.create(PRESET, presetKey.key(), presetKey.workspace(), at, made.toJson());
    AuditChanges auditChanges = AuditChanges.NONE.and("version", Json.NULL, Json.of(1));
    requireWritten(
        workspaceGuard.add(
            presetKey.workspace(),
            List.of(
                new Write.Insert(document),
                insert(presetKey, version),
                entry(by, AuditAction.PRESET_CREATE, made, auditChanges))));
    return made;
  }

  private SavedPreset next(Document now, AuditActor by, PresetCreate wanted) {
    String creator = by.creator();
    SavedPreset before = read(now);
    Instant at = after(before);
    int number = before.designated().number() + 1;
    PresetVersion version = version(before.id(), number, wanted, creator, at);
    SavedPreset made = before.withVersion(version);
    Document document = now.next(at, made.toJson());
    AuditChanges auditChanges =
        AuditChanges.NONE.and("version", Json.of(number - 1), Json.of(number));
    requireWritten(
        watch.write(
            List.of(
                new Write.Replace(document),
                insert(before.home(), version),
                entry(by, AuditAction.PRESET_UPDATE, made, auditChanges))));
    return made;
  }

  /**
   * Returns the time of the next change: now, but later than the previous change, so that times
   * have the order of the versions even when the clocks of nodes differ.
   */
  private Instant after(SavedPreset before) {
    Instant now = saved.now();
    Instant earliest = before.updatedAt().plus(1, ChronoUnit.MICROS);
    return now.isBefore(earliest) ? earliest : now;
  }

  private PresetVersion version(
      String presetId, int number, PresetCreate wanted, String creator, Instant at) {
    return new PresetVersion(
        Uuids.next(ambient).toString(),
        presetId,
        number,
        wanted.config(),
        wanted.systemPrompt(),
        creator,
        at);
  }

  private static Write insert(PresetKey presetKey, PresetVersion version) {
    return new Write.Insert(
        Document.create(
            VERSION,
            versionKey(presetKey, version.number()),
            presetKey.key(),
            version.createdAt(),
            version.toJson()));
  }

  private static String versionKey(PresetKey presetKey, int number) {
    return presetKey.key() + '/' + number;
  }

  private static void requireWritten(boolean written) {
    if (!written) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException();
    }
  }

  /**
   * Sets the status of a preset.
   *
   * @param by who asks
   * @return null when there is no such preset
   * @throws io.strowger.spi.error.GatewayException 409 when somebody else wrote it meanwhile
   */
  public @Nullable SavedPreset setStatus(
      String workspace, String slug, PresetStatus status, AuditActor by) {
    var presetKey = new PresetKey(workspace, slug);
    Document now = saved.find(presetKey.key());
    if (now == null) {
      return null;
    }
    SavedPreset before = read(now);
    Instant at = after(before);
    SavedPreset made = before.withStatus(status, at);
    AuditChanges auditChanges =
        AuditChanges.NONE.and(
            "status", Json.of(before.status().wireName()), Json.of(status.wireName()));
    requireWritten(
        watch.write(
            List.of(
                new Write.Replace(now.next(at, made.toJson())),
                entry(by, AuditAction.PRESET_UPDATE, made, auditChanges))));
    return made;
  }

  /**
   * @return null when there is no such preset
   */
  public @Nullable SavedPreset find(String workspace, String slug) {
    Document found = saved.find(new PresetKey(workspace, slug).key());
    return found == null ? null : read(found);
  }

  /**
   * Returns the presets of a workspace, the last changed first.
   *
   * @param offset at least 0
   * @param limit 1 to 1000
   */
  public Listed<SavedPreset> list(String workspace, long offset, int limit) {
    DocumentStore.Page page =
        saved.list(workspace, false, DocumentStore.Order.UPDATED_LAST, offset, limit);
    return new Listed<>(
        page.documents().stream().map(PresetDirectory::read).toList(), page.total());
  }

  /**
   * Returns the versions of a preset, the latest first.
   *
   * @return null when there is no such preset
   */
  public @Nullable Listed<PresetVersion> versions(
      String workspace, String slug, long offset, int limit) {
    String key = new PresetKey(workspace, slug).key();
    DocumentStore.Page page =
        versions.list(key, false, DocumentStore.Order.CREATED_LAST, offset, limit);
    return page.total() == 0
        ? null
        : new Listed<>(
            page.documents().stream().map(found -> PresetVersion.of(found.body())).toList(),
            page.total());
  }

  /** Returns a version of a preset; null when there is no such preset or version. */
  public @Nullable PresetVersion version(String workspace, String slug, int number) {
    Document found = versions.find(versionKey(new PresetKey(workspace, slug), number));
    return found == null ? null : PresetVersion.of(found.body());
  }

  private static SavedPreset read(Document document) {
    return SavedPreset.of(document.body());
  }
}
