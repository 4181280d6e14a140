package io.strowger.host.cli;

import io.strowger.core.Gateway;
import io.strowger.core.PluginDirectory;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.TlsFiles;
import io.strowger.host.server.ReloadResult;
import io.strowger.host.server.ServedCertificate;
import io.strowger.host.show.Quantity;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.StoreUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reloads the configuration of a served gateway; one reload at a time. Safe on any thread. */
final class Reloader {
  private static final Logger LOG = LoggerFactory.getLogger("gateway");
  private static final JsonPointer TLS = JsonPointer.ROOT.child("server").child("tls");

  private final ConfigFile file;
  private final Gateway gateway;
  private final @Nullable ServedCertificate certificate;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * @param file the configuration file
   * @param gateway the gateway to apply it to
   * @param certificate the served certificate, which is also read again, since it may have been
   *     renewed; null without TLS
   */
  Reloader(ConfigFile file, Gateway gateway, @Nullable ServedCertificate certificate) {
    this.file = file;
    this.gateway = gateway;
    this.certificate = certificate;
  }

  /**
   * Reads the file and applies all of it, or changes nothing.
   *
   * @param actor the actor for the audit log
   */
  ReloadResult reload(AuditActor actor) {
    lock.lock();
    try {
      return switch (file.read(gateway.pluginDirectory())) {
        case ConfigFile.OpenConfig opened -> apply(opened, actor);
        case ConfigFile.Refused(var what, var problems) -> reportRefusal(what, problems);
      };
    } catch (IllegalStateException closed) {
      return reportUnusable(String.valueOf(closed.getMessage()));
    } catch (CommandException unreadable) {
      LOG.error("the configuration was not reloaded: {}", unreadable.getMessage());
      return new ReloadResult.Unreadable();
    } catch (StoreUnavailableException unavailable) {
      LOG.error(
          "the configuration was not reloaded: the store is unavailable: {}",
          unavailable.getMessage());
      return new ReloadResult.StoreUnavailable();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      LOG.error("a plugin or an adapter failed while a configuration was applied", bug);
      return reportUnusable("a plugin or an adapter failed: " + bug.getClass().getName());
    } finally {
      lock.unlock();
    }
  }

  private ReloadResult reportRefusal(String source, List<Problem> problems) {
    LOG.error(
        "the configuration was not reloaded: {} has {}:",
        source,
        Quantity.of(problems.size(), "problem"));
    problems.forEach(problem -> LOG.error("  {}", problem));
    return new ReloadResult.Refused(problems);
  }

  private ReloadResult reportUnusable(String reason) {
    return reportRefusal(
        file.file().toString(),
        List.of(new Problem(JsonPointer.ROOT, "must be usable: " + reason, "")));
  }

  private ReloadResult apply(ConfigFile.OpenConfig opened, AuditActor actor) {
    boolean applied = false;
    try {
      ReloadResult reloaded = apply(opened.config(), opened.plugins(), actor);
      applied = reloaded instanceof ReloadResult.Applied;
      return reloaded;
    } finally {
      if (!applied) {
        opened.close();
      }
    }
  }

  /** Applies a configuration. Everything that can fail is done before the first change. */
  private ReloadResult apply(GatewayConfig config, PluginDirectory plugins, AuditActor actor) {
    ServedCertificate.LoadedCertificate next;
    try {
      next = certificate(config.server().tls());
    } catch (IOException e) {
      return reportRefusal(
          file.file().toString(),
          List.of(new Problem(TLS, "must be usable: " + e.getMessage(), "")));
    }
    List<String> withoutEffect;
    try {
      withoutEffect = gateway.reload(config, plugins, actor);
    } catch (GatewayException refusal) {
      return reportRefusal(file.file().toString(), refusal.error().problems());
    } catch (IllegalStateException e) {
      return reportUnusable(String.valueOf(e.getMessage()));
    }
    if (certificate != null && next != null) {
      certificate.replace(next);
    }
    LOG.info("the configuration was reloaded, catalog {}", config.catalog().version());
    withoutEffect.forEach(sentence -> LOG.warn("{}", sentence));
    return new ReloadResult.Applied(config, withoutEffect);
  }

  /**
   * Reads the certificate that the configuration names; returns null when the gateway is served
   * without TLS or the configuration has none.
   */
  private ServedCertificate.@Nullable LoadedCertificate certificate(@Nullable TlsFiles files)
      throws IOException {
    return certificate == null || files == null ? null : ServedCertificate.load(files);
  }
}
