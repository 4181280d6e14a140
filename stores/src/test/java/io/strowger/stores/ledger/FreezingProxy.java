package io.strowger.stores.ledger;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A proxy between a client and a server on this machine that can stop passing on data without
 * closing connections, like a frozen server or a dead network.
 */
public final class FreezingProxy implements Closeable {
  private final ServerSocket listener;
  private final int target;
  private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition thawed = lock.newCondition();
  private boolean frozen; // under the lock

  private FreezingProxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  public static FreezingProxy start(int target) throws IOException {
    var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var proxy = new FreezingProxy(listener, target);
    Thread.startVirtualThread(proxy::accept);
    return proxy;
  }

  public int port() {
    return listener.getLocalPort();
  }

  public void freeze(boolean value) {
    lock.lock();
    try {
      frozen = value;
      thawed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitThaw() {
    lock.lock();
    try {
      while (frozen) {
        thawed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        open.add(client);
        Thread.startVirtualThread(() -> connect(client));
      }
    } catch (IOException closed) {
      // the proxy is closed
    }
  }

  private void connect(Socket client) {
    awaitThaw();
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      open.add(server);
      Thread.startVirtualThread(() -> pass(client, server));
      pass(server, client);
    } catch (IOException gone) {
      close(client);
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    try {
      for (int read = from.getInputStream().read(buffer);
          read >= 0;
          read = from.getInputStream().read(buffer)) {
        awaitThaw();
        to.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException gone) {
      // the other side is closed below
    }
    close(from);
    close(to);
  }

  private static void close(Closeable each) {
    try {
      each.close();
    } catch (IOException alreadyGone) {
      // it is closed
    }
  }

  @Override
  public void close() {
    freeze(false);
    close(listener);
    open.forEach(FreezingProxy::close);
  }
}
