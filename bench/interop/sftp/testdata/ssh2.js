// An SFTP server on the ssh2 package: node ssh2.js HOSTKEY. It prints its port.
'use strict';
const fs = require('fs');
const { Server, utils: { sftp: { STATUS_CODE: S, OPEN_MODE: M } } } = require('ssh2');
const C = fs.constants;

function attrs(st) {
  return { mode: st.mode, uid: st.uid, gid: st.gid, size: st.size, atime: Math.floor(st.atimeMs / 1000), mtime: Math.floor(st.mtimeMs / 1000) };
}

function code(err) {
  if (!err) return S.OK;
  return { ENOENT: S.NO_SUCH_FILE, EACCES: S.PERMISSION_DENIED, EPERM: S.PERMISSION_DENIED }[err.code] ?? S.FAILURE;
}

function mode(flags) {
  const way = flags & M.WRITE ? (flags & M.READ ? C.O_RDWR : C.O_WRONLY) : C.O_RDONLY;
  return [[M.APPEND, C.O_APPEND], [M.CREAT, C.O_CREAT], [M.TRUNC, C.O_TRUNC], [M.EXCL, C.O_EXCL]]
    .reduce((all, [wire, own]) => (flags & wire ? all | own : all), way);
}

function serve(sftp) {
  const open = new Map();
  let next = 0;
  const add = (x) => {
    const h = Buffer.alloc(4);
    h.writeUInt32BE(next);
    open.set(next++, x);
    return h;
  };
  const of = (h) => (h.length === 4 ? open.get(h.readUInt32BE(0)) : undefined);
  const done = (id) => (err) => sftp.status(id, code(err));
  const told = (id) => (err, st) => (err ? sftp.status(id, code(err)) : sftp.attrs(id, attrs(st)));
  const set = (a, path, fd) => {
    if (a.size !== undefined) fd === undefined ? fs.truncateSync(path, a.size) : fs.ftruncateSync(fd, a.size);
    if (a.mode !== undefined) fd === undefined ? fs.chmodSync(path, a.mode) : fs.fchmodSync(fd, a.mode);
    if (a.mtime !== undefined) fd === undefined ? fs.utimesSync(path, a.atime, a.mtime) : fs.futimesSync(fd, a.atime, a.mtime);
  };
  const attempt = (id, f) => {
    try { f(); sftp.status(id, S.OK); } catch (err) { sftp.status(id, code(err)); }
  };
  // The package leaves it to its user to end a channel that the client has ended.
  sftp.on('end', () => sftp.end());
  sftp.on('OPEN', (id, name, flags) => {
    fs.open(name, mode(flags), (err, fd) => (err ? sftp.status(id, code(err)) : sftp.handle(id, add({ fd }))));
  });
  sftp.on('READ', (id, h, off, len) => {
    const f = of(h);
    if (f?.fd === undefined) return sftp.status(id, S.FAILURE);
    const b = Buffer.alloc(len);
    fs.read(f.fd, b, 0, len, off, (err, n) => {
      if (err) return sftp.status(id, code(err));
      n === 0 ? sftp.status(id, S.EOF) : sftp.data(id, b.subarray(0, n));
    });
  });
  sftp.on('WRITE', (id, h, off, data) => {
    const f = of(h);
    if (f?.fd === undefined) return sftp.status(id, S.FAILURE);
    const write = (from) => {
      fs.write(f.fd, data, from, data.length - from, off + from, (err, n) => {
        if (!err && from + n < data.length) return write(from + n);
        sftp.status(id, code(err));
      });
    };
    write(0);
  });
  sftp.on('FSTAT', (id, h) => {
    const f = of(h);
    f?.fd === undefined ? sftp.status(id, S.FAILURE) : fs.fstat(f.fd, told(id));
  });
  sftp.on('FSETSTAT', (id, h, a) => attempt(id, () => set(a, undefined, of(h).fd)));
  sftp.on('SETSTAT', (id, name, a) => attempt(id, () => set(a, name)));
  sftp.on('CLOSE', (id, h) => {
    const f = of(h);
    if (!f) return sftp.status(id, S.FAILURE);
    open.delete(h.readUInt32BE(0));
    f.fd === undefined ? sftp.status(id, S.OK) : fs.close(f.fd, done(id));
  });
  sftp.on('STAT', (id, name) => fs.stat(name, told(id)));
  sftp.on('LSTAT', (id, name) => fs.lstat(name, told(id)));
  sftp.on('OPENDIR', (id, name) => {
    fs.readdir(name, (err, names) => (err ? sftp.status(id, code(err)) : sftp.handle(id, add({ dir: name, names }))));
  });
  sftp.on('READDIR', (id, h) => {
    const d = of(h);
    if (!d?.names) return sftp.status(id, S.FAILURE);
    if (d.names.length === 0) return sftp.status(id, S.EOF);
    const names = d.names.splice(0, 50);
    sftp.name(id, names.map((filename) => ({ filename, longname: filename, attrs: attrs(fs.lstatSync(d.dir + '/' + filename)) })));
  });
  sftp.on('MKDIR', (id, name) => fs.mkdir(name, done(id)));
  sftp.on('RMDIR', (id, name) => fs.rmdir(name, done(id)));
  sftp.on('REMOVE', (id, name) => fs.unlink(name, done(id)));
  sftp.on('RENAME', (id, a, b) => (fs.existsSync(b) ? sftp.status(id, S.FAILURE) : fs.rename(a, b, done(id))));
  sftp.on('SYMLINK', (id, target, link) => fs.symlink(target, link, done(id)));
  sftp.on('READLINK', (id, name) => {
    fs.readlink(name, (err, to) => (err ? sftp.status(id, code(err)) : sftp.name(id, [{ filename: to, longname: to, attrs: {} }])));
  });
  sftp.on('REALPATH', (id, name) => {
    const p = require('path').resolve('/', name);
    sftp.name(id, [{ filename: p, longname: p, attrs: {} }]);
  });
}

const server = new Server({ hostKeys: [fs.readFileSync(process.argv[2])] }, (client) => {
  client.on('error', () => {});
  client.on('authentication', (ctx) => ctx.accept());
  client.on('ready', () => {
    client.on('session', (accept) => accept().on('sftp', (accept) => serve(accept())));
  });
});
// Without this every answer that nothing follows waits for the other side's delayed acknowledgement.
server._srv.on('connection', (socket) => socket.setNoDelay(true));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
