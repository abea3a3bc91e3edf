//! A phone's files in memory: a hundred thousand phones on one disk would measure the disk.

use std::collections::HashMap;

use wayveil_client::Disk;
use wayveil_core::Result;

#[derive(Default)]
pub(super) struct MemoryDisk(HashMap<String, Vec<u8>>);

impl Disk for MemoryDisk {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.0.get(name).cloned())
    }

    fn replace(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.0.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn append(&mut self, name: &str, keep: u64, bytes: &[u8]) -> Result<()> {
        let file = self.0.entry(name.to_owned()).or_default();
        file.truncate(keep as usize);
        file.extend_from_slice(bytes);
        Ok(())
    }
}
